//! The values of a prepared statement's parameters: rows, put to its handle.
//!
//! ```text
//! DoPut  handle, columns │ rows ─▶ few messages, plain, in time ─▶ read, bound to the plan ─▶ held beside the statement
//! ```

use std::sync::Arc;
use std::time::Duration;

use arrow::array::RecordBatch;
use arrow::compute::concat_batches;
use arrow::datatypes::Schema;
use arrow::ipc::{self, MessageHeader};
use arrow_flight::decode::FlightRecordBatchStream;
use arrow_flight::error::FlightError;
use arrow_flight::sql::{Command, DoPutPreparedStatementResult};
use arrow_flight::{FlightData, PutResult};
use futures::stream::{self, TryStreamExt};
use prost::Message;
use tonic::{Status, Streaming};

use super::{Call, Service, command};
use crate::serve::handles::{self, NotBound, Statement};
use crate::serve::statement::{Bound, Refused, bind};

/// How long a client may take to send its values.
const SENT_WITHIN: Duration = Duration::from_secs(30);
/// How many messages they may come in: the columns, the rows, and some without rows.
const MOST_MESSAGES: usize = 8;
/// How many bytes they may have in all.
const MOST_BYTES: usize = 1 << 20;

impl Service {
    /// Takes the values that a client puts to a prepared statement of its own; whatever else is put is refused.
    pub(super) async fn parameters(&self, call: &Call, messages: Streaming<FlightData>) -> Result<PutResult, Status> {
        let messages = tokio::time::timeout(SENT_WITHIN, gathered(messages))
            .await
            .map_err(|_| Status::deadline_exceeded("the values did not come in time"))??;
        let refused =
            || Status::permission_denied("nothing is written here but the values of a prepared statement's parameters");
        let descriptor = messages.first().and_then(|first| first.flight_descriptor.as_ref()).ok_or_else(refused)?;
        let Command::CommandPreparedStatementQuery(query) = command(&descriptor.cmd)? else { return Err(refused()) };
        let handle = query.prepared_statement_handle;
        let gone = || Status::not_found("there is no such statement, or it has ended; prepare it again");
        let statement = self.handles.unbound(&call.caller, &handle).ok_or_else(gone)?;
        let (sessions, role, unbound) = (Arc::clone(&self.sessions), call.caller.role, Arc::clone(&statement));
        let work = async move {
            let values = rows(messages, unbound.parameters.fields().len()).await?;
            bind(sessions.of(role), role, &unbound.plan, &unbound.parameters, &values).map_err(Status::from)
        };
        self.asked(call, &statement.digest)?;
        let bound =
            self.queries.plan(&call.caller, work).await.map_err(|status| self.refused(call, &statement.digest, status));
        let Bound { plan, schema, bytes } = bound?;
        self.planned(call, statement.kind, &statement.digest)?;
        let (kind, digest) = (statement.kind, statement.digest.clone());
        let bound = Statement { plan, schema, kind, digest, parameters: Arc::new(Schema::empty()) };
        self.handles.bind(&call.caller, &handle, Arc::new(bound), bytes).map_err(|refused| match refused {
            NotBound::Gone => gone(),
            NotBound::TooMuch => Status::resource_exhausted(format!(
                "the values of your prepared statements, each as often as it is mentioned, have more than {} MiB; close some",
                handles::MOST_BYTES >> 20
            )),
        })?;
        let result = DoPutPreparedStatementResult { prepared_statement_handle: Some(handle) };
        Ok(PutResult { app_metadata: result.encode_to_vec().into() })
    }
}

/// All messages of a client, few and small. None is compressed or a dictionary: what they unpack to is not bounded by what is sent.
async fn gathered(mut messages: Streaming<FlightData>) -> Result<Vec<FlightData>, Status> {
    let (mut all, mut bytes) = (Vec::new(), 0);
    while let Some(message) = messages.try_next().await? {
        bytes += message.data_header.len() + message.data_body.len();
        if all.len() == MOST_MESSAGES || bytes > MOST_BYTES {
            return Err(Status::resource_exhausted("the values of parameters are few rows, and at most 1 MiB"));
        }
        if !is_plain(&message) {
            return Err(Status::invalid_argument("send the values uncompressed, and without dictionaries"));
        }
        all.push(message);
    }
    Ok(all)
}

/// Whether a message holds no more than its bytes.
fn is_plain(message: &FlightData) -> bool {
    let Ok(header) = ipc::root_as_message(&message.data_header) else { return message.data_header.is_empty() };
    match header.header_type() {
        MessageHeader::Schema => true,
        MessageHeader::RecordBatch => {
            header.header_as_record_batch().is_some_and(|batch| batch.compression().is_none())
        }
        _ => false,
    }
}

/// The rows of the messages.
async fn rows(messages: Vec<FlightData>, parameters: usize) -> Result<RecordBatch, Status> {
    let batches = FlightRecordBatchStream::new_from_flight_data(stream::iter(messages.into_iter().map(Ok)));
    let unreadable = || Status::invalid_argument("the values cannot be read as rows of Arrow");
    let batches: Vec<RecordBatch> = batches.try_collect().await.map_err(|_: FlightError| unreadable())?;
    let Some(first) = batches.first() else { return Err(Refused::Values(parameters).into()) };
    concat_batches(&first.schema(), &batches).map_err(|_| unreadable())
}
