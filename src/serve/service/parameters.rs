//! The values of a prepared statement's parameters: one row, put to its handle.

use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow_flight::decode::FlightRecordBatchStream;
use arrow_flight::error::FlightError;
use arrow_flight::sql::{Command, DoPutPreparedStatementResult};
use arrow_flight::{FlightData, PutResult};
use futures::stream::{self, StreamExt, TryStreamExt};
use prost::Message;
use tonic::{Status, Streaming};

use super::{Call, Service, command};
use crate::serve::handles::Statement;
use crate::serve::statement::{Refused, bind};

impl Service {
    /// Takes the values that a client puts to a prepared statement of its own; whatever else is put is refused.
    pub(super) async fn parameters(
        &self,
        call: &Call,
        mut messages: Streaming<FlightData>,
    ) -> Result<PutResult, Status> {
        let refused =
            || Status::permission_denied("nothing is written here but the values of a prepared statement's parameters");
        let first = messages.try_next().await?.ok_or_else(refused)?;
        let descriptor = first.flight_descriptor.as_ref().ok_or_else(refused)?;
        let Command::CommandPreparedStatementQuery(query) = command(&descriptor.cmd)? else { return Err(refused()) };
        let handle = query.prepared_statement_handle;
        let gone = || Status::not_found("there is no such statement, or it has ended; prepare it again");
        let statement = self.handles.unbound(&call.caller, &handle).ok_or_else(gone)?;
        let rest = messages.map_err(|status| FlightError::Tonic(Box::new(status)));
        let messages = stream::iter([Ok(first)]).chain(rest);
        let values =
            row(FlightRecordBatchStream::new_from_flight_data(messages), statement.parameters.fields().len()).await?;
        let (sessions, role, unbound) = (Arc::clone(&self.sessions), call.caller.role, Arc::clone(&statement));
        let work = async move {
            bind(sessions.of(role), role, &unbound.plan, &unbound.parameters, &values).map_err(Status::from)
        };
        let (plan, schema) = self.queries.plan(work).await?;
        let bound = Statement {
            plan,
            schema,
            kind: statement.kind,
            digest: statement.digest.clone(),
            parameters: Arc::new(arrow::datatypes::Schema::empty()),
        };
        if !self.handles.bind(&call.caller, &handle, Arc::new(bound)) {
            return Err(gone());
        }
        let result = DoPutPreparedStatementResult { prepared_statement_handle: Some(handle) };
        Ok(PutResult { app_metadata: result.encode_to_vec().into() })
    }
}

/// The one row that a client sends.
async fn row(mut batches: FlightRecordBatchStream, parameters: usize) -> Result<RecordBatch, Status> {
    let mut found: Option<RecordBatch> = None;
    let unreadable = |error: FlightError| match error {
        FlightError::Tonic(status) => *status,
        _ => Status::invalid_argument("the values cannot be read as rows of Arrow"),
    };
    while let Some(batch) = batches.try_next().await.map_err(unreadable)? {
        if batch.num_rows() > 0 && found.replace(batch).is_some() {
            return Err(Refused::Values(parameters).into());
        }
    }
    found.ok_or_else(|| Refused::Values(parameters).into())
}
