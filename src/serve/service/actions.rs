//! The actions: statements are prepared and closed, queries cancelled.

use arrow_flight::sql::{ActionCancelQueryResult, ActionCreatePreparedStatementResult, Command, ProstMessageExt};
use arrow_flight::{Action, CancelFlightInfoRequest, CancelFlightInfoResult, CancelStatus, FlightInfo};
use prost::Message;
use tonic::Status;

use super::{Call, Service, command, encoded, name_of, no_transaction, unreadable};
use crate::serve::handles::Use;

impl Service {
    /// Does an action; gives what it results in.
    pub(super) async fn act(&self, call: &Call, action: &Action) -> Result<Vec<arrow_flight::Result>, Status> {
        let result = |body: Vec<u8>| vec![arrow_flight::Result { body: body.into() }];
        match action.r#type.as_str() {
            "CancelFlightInfo" => {
                let request = CancelFlightInfoRequest::decode(&*action.body).map_err(|_| unreadable())?;
                let cancelled = self.cancel(call, request.info.unwrap_or_default())?;
                let status = if cancelled { CancelStatus::Cancelled } else { CancelStatus::NotCancellable };
                return Ok(result(CancelFlightInfoResult::new(status).encode_to_vec()));
            }
            "CreatePreparedStatement" | "ClosePreparedStatement" | "CancelQuery" => {}
            _ => return Err(Status::unimplemented("this action is not done here")),
        }
        match command(&action.body)? {
            Command::ActionCreatePreparedStatementRequest(request) => {
                no_transaction(request.transaction_id.as_deref())?;
                let statement = self.judged(call, &request.query).await?;
                let (handle, statement) = self.hold(call, statement, Use::Prepared)?;
                let prepared = ActionCreatePreparedStatementResult {
                    prepared_statement_handle: handle.to_vec().into(),
                    dataset_schema: encoded(&statement.schema)?,
                    parameter_schema: encoded(&statement.parameters)?,
                };
                Ok(result(prepared.as_any().encode_to_vec()))
            }
            Command::ActionClosePreparedStatementRequest(request) => {
                self.handles.release(&call.caller, &request.prepared_statement_handle);
                Ok(Vec::new())
            }
            Command::ActionCancelQueryRequest(request) => {
                let info = FlightInfo::decode(&*request.info).map_err(|_| unreadable())?;
                // The two ways of cancelling number their answers alike.
                let status =
                    if self.cancel(call, info)? { CancelStatus::Cancelled } else { CancelStatus::NotCancellable };
                Ok(result(ActionCancelQueryResult { result: status as i32 }.as_any().encode_to_vec()))
            }
            other => Err(Status::unimplemented(format!("{} is not done here", name_of(&other)))),
        }
    }

    /// Ends the queries that fetch an answer, and lets go of its ticket.
    fn cancel(&self, call: &Call, info: FlightInfo) -> Result<bool, Status> {
        let mut any = false;
        for ticket in info.endpoint.into_iter().filter_map(|endpoint| endpoint.ticket) {
            let (handle, once) = match command(&ticket.ticket)? {
                Command::TicketStatementQuery(ticket) => (ticket.statement_handle, true),
                Command::CommandPreparedStatementQuery(query) => (query.prepared_statement_handle, false),
                _ => continue,
            };
            any |= self.queries.cancel(&call.caller, &handle);
            any |= once && self.handles.release(&call.caller, &handle);
        }
        Ok(any)
    }
}
