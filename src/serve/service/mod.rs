//! The calls of Arrow Flight SQL.
//!
//! ```text
//! Handshake        Basic ─▶ token                                    everything else wants a token
//! GetFlightInfo    statement ─▶ judged, planned, held ─▶ ticket      questions about tables ─▶ ticket
//! DoGet            ticket ─▶ rows
//! GetSchema        statement, prepared statement or question ─▶ columns
//! DoAction         prepare, close, cancel
//! DoPut            prepared statement, a row of values ─▶ the values of its parameters
//! ```
//!
//! Whatever is not in this list is not done: updates, ingestion, transactions, Substrait, exchange.

mod actions;
mod login;
mod parameters;

use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::Schema;
use arrow::ipc::writer::IpcWriteOptions;
use arrow_flight::encode::FlightDataEncoderBuilder;
use arrow_flight::flight_service_server::FlightService;
use arrow_flight::sql::{Any, Command, ProstMessageExt, TicketStatementQuery};
use arrow_flight::{
    Action, ActionType, Criteria, Empty, FlightData, FlightDescriptor, FlightEndpoint, FlightInfo, HandshakeRequest,
    HandshakeResponse, IpcMessage, PollInfo, PutResult, SchemaAsIpc, SchemaResult, Ticket,
};
use futures::stream::{self, Stream, StreamExt, TryStreamExt};
use prost::Message;
use tonic::metadata::MetadataMap;
use tonic::{Request, Response, Status, Streaming};
use zeroize::Zeroizing;

use super::access::{Caller, Logins};
use super::audit::{Audit, Line};
use super::handles::{Handle, Handles, Statement, Use};
use super::query::{Queries, unwritten};
use super::sessions::Sessions;
use super::statement::{Judged, Refused, judge};
use super::{errors, metadata};

type Messages<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send + 'static>>;
type Answered<T> = Result<Response<T>, Status>;

/// The service: every call begins with who makes it.
pub(super) struct Service {
    sessions: Arc<Sessions>,
    logins: Arc<Logins>,
    handles: Handles,
    queries: Queries,
    audit: Arc<Audit>,
}

/// Somebody who makes a call, and from where.
struct Call {
    caller: Caller,
    peer: Option<SocketAddr>,
}

impl Service {
    pub(super) fn new(
        sessions: Sessions,
        logins: Logins,
        handles: Handles,
        queries: Queries,
        audit: Arc<Audit>,
    ) -> Self {
        Self { sessions: Arc::new(sessions), logins: Arc::new(logins), handles, queries, audit }
    }

    /// Ends all queries.
    pub(super) fn cancel_all(&self) {
        self.queries.cancel_all();
    }

    /// Who makes a call. One by nobody who is known is told to the audit log, as a login is.
    fn call<T>(&self, request: &Request<T>) -> Result<Call, Status> {
        let peer = request.remote_addr();
        let token = credentials(request.metadata(), "Bearer");
        let caller = match token {
            Some(token) => self.logins.bearer(token).map_err(Status::from),
            None => Err(Status::unauthenticated("log in first: every call needs a token")),
        };
        caller.map(|caller| Call { caller, peer }).map_err(|status| {
            if !self.logins.is_news(peer.map(|peer| peer.ip())) {
                return status;
            }
            let by = token.map(|_| "token");
            let line = Line { event: "call", peer, by, outcome: Some("refused"), ..Line::default() };
            self.audit.write(&line).map_or_else(|_| unwritten(), |()| status)
        })
    }

    /// Judges a text and plans it; either outcome is told to the audit log.
    async fn judged(&self, call: &Call, text: &str) -> Result<Statement, Status> {
        let (sessions, role, owned) = (Arc::clone(&self.sessions), call.caller.role, text.to_owned());
        let work = async move { judge(sessions.of(role), role, &owned).await.map_err(Status::from) };
        let digest = self.audit.digest(text);
        self.asked(call, &digest)?;
        match self.queries.plan(&call.caller, work).await {
            Ok(Judged { plan, kind, schema, parameters }) => {
                self.planned(call, kind, &digest)?;
                Ok(Statement { plan, schema, kind, digest, parameters })
            }
            Err(status) => Err(self.refused(call, &digest, status)),
        }
    }

    /// Holds a statement.
    fn hold(&self, call: &Call, statement: Statement, purpose: Use) -> Result<(Handle, Arc<Statement>), Status> {
        let statement = Arc::new(statement);
        let handle = self.handles.hold(&call.caller, purpose, Arc::clone(&statement));
        Ok((handle.map_err(|_| Status::internal("the statement cannot be held"))?, statement))
    }

    /// Tells the audit log that a statement is asked for, before anything is done with it: whoever goes away meanwhile, or ends the server by it, has
    /// asked all the same.
    fn asked(&self, call: &Call, digest: &str) -> Result<(), Status> {
        let line = Line { digest: Some(digest), ..Line::of("query_asked", &call.caller, call.peer) };
        self.audit.write(&line).map_err(|_| unwritten())
    }

    /// Tells the audit log that a statement is planned: its columns, and that it can be, are told even where no row is fetched.
    fn planned(&self, call: &Call, kind: &'static str, digest: &str) -> Result<(), Status> {
        let line =
            Line { statement: Some(kind), digest: Some(digest), ..Line::of("query_planned", &call.caller, call.peer) };
        self.audit.write(&line).map_err(|_| unwritten())
    }

    /// Tells the audit log that a statement is refused.
    fn refused(&self, call: &Call, digest: &str, status: Status) -> Status {
        let line = Line {
            digest: Some(digest),
            outcome: Some(errors::outcome(&status)),
            ..Line::of("query_refused", &call.caller, call.peer)
        };
        self.audit.write(&line).map_or_else(|_| unwritten(), |()| status)
    }

    fn own(&self, call: &Call, purpose: Use, handle: &[u8]) -> Result<Arc<Statement>, Status> {
        self.handles
            .get(&call.caller, purpose, handle)
            .ok_or_else(|| Status::not_found("there is no such statement, or it has ended; ask again"))
    }

    async fn info(&self, call: &Call, descriptor: FlightDescriptor) -> Result<FlightInfo, Status> {
        let command = command(&descriptor.cmd)?;
        let (schema, ticket) = match &command {
            Command::CommandStatementQuery(query) => {
                no_transaction(query.transaction_id.as_deref())?;
                let statement = self.judged(call, &query.query).await?;
                if !statement.parameters.fields().is_empty() {
                    return Err(self.refused(call, &statement.digest, Refused::Parameters.into()));
                }
                let (handle, statement) = self.hold(call, statement, Use::Ticket)?;
                let ticket = TicketStatementQuery { statement_handle: handle.to_vec().into() };
                (Arc::clone(&statement.schema), ticket.as_any().encode_to_vec())
            }
            Command::CommandPreparedStatementQuery(query) => {
                let statement = self.own(call, Use::Prepared, &query.prepared_statement_handle)?;
                (Arc::clone(&statement.schema), descriptor.cmd.to_vec())
            }
            _ => (self.answered(call, &command).await?.schema(), descriptor.cmd.to_vec()),
        };
        let endpoint = FlightEndpoint::new().with_ticket(Ticket::new(ticket));
        let info = FlightInfo::new().try_with_schema(&schema).map_err(|_| unsendable())?;
        Ok(info.with_endpoint(endpoint).with_descriptor(descriptor))
    }

    /// The answer to a question about the server or its tables.
    async fn answered(&self, call: &Call, question: &Command) -> Result<RecordBatch, Status> {
        let answer = metadata::answer(question, self.sessions.of(call.caller.role)).await?;
        answer.ok_or_else(|| Status::unimplemented(format!("{} is not done here", name_of(question))))
    }

    async fn schema(&self, call: &Call, descriptor: &FlightDescriptor) -> Result<Arc<Schema>, Status> {
        let command = command(&descriptor.cmd)?;
        Ok(match &command {
            Command::CommandStatementQuery(query) => self.judged(call, &query.query).await?.schema,
            Command::CommandPreparedStatementQuery(query) => {
                Arc::clone(&self.own(call, Use::Prepared, &query.prepared_statement_handle)?.schema)
            }
            _ => self.answered(call, &command).await?.schema(),
        })
    }

    async fn rows(&self, call: &Call, ticket: &[u8]) -> Result<Messages<FlightData>, Status> {
        let command = command(ticket)?;
        let (purpose, handle) = match &command {
            Command::TicketStatementQuery(ticket) => (Use::Ticket, &ticket.statement_handle),
            Command::CommandPreparedStatementQuery(query) => (Use::Prepared, &query.prepared_statement_handle),
            _ => {
                let batch = self.answered(call, &command).await?;
                let encoder = FlightDataEncoderBuilder::new().with_schema(batch.schema());
                let messages = encoder.build(stream::once(async { Ok(batch) }));
                return Ok(messages.map_err(|_| unsendable()).boxed());
            }
        };
        let statement = self.own(call, purpose, handle)?;
        if !statement.parameters.fields().is_empty() {
            let refused = Refused::Values(statement.parameters.fields().len());
            return Err(self.refused(call, &statement.digest, refused.into()));
        }
        let context = self.sessions.of(call.caller.role);
        let mut answer = self.queries.begin(context, &call.caller, call.peer, handle, statement)?;
        Ok(stream::poll_fn(move |context| answer.poll_recv(context)).boxed())
    }
}

/// What follows a scheme in the header of who makes a call.
fn credentials<'m>(metadata: &'m MetadataMap, scheme: &str) -> Option<&'m str> {
    let (named, rest) = metadata.get("authorization")?.to_str().ok()?.split_once(' ')?;
    named.eq_ignore_ascii_case(scheme).then(|| rest.trim())
}

/// The command that bytes of a client are.
fn command(bytes: &[u8]) -> Result<Command, Status> {
    let any = Any::decode(bytes).map_err(|_| unreadable())?;
    Command::try_from(any).map_err(|_| unreadable())
}

/// The last part of a command's type, which a client has chosen.
fn name_of(command: &Command) -> &str {
    match command {
        Command::Unknown(_) => "this command",
        known => known.type_url().rsplit('.').next().unwrap_or("this command"),
    }
}

fn no_transaction(id: Option<&[u8]>) -> Result<(), Status> {
    match id {
        Some(id) if !id.is_empty() => Err(Status::invalid_argument("there are no transactions here")),
        _ => Ok(()),
    }
}

fn encoded(schema: &Schema) -> Result<bytes::Bytes, Status> {
    let options = IpcWriteOptions::default();
    let IpcMessage(message) = SchemaAsIpc::new(schema, &options).try_into().map_err(|_| unsendable())?;
    Ok(message)
}

fn unreadable() -> Status {
    Status::invalid_argument("this is no command of Flight SQL")
}

fn unsendable() -> Status {
    Status::internal("the answer cannot be encoded")
}

#[tonic::async_trait]
impl FlightService for Service {
    type HandshakeStream = Messages<HandshakeResponse>;
    type ListFlightsStream = Messages<FlightInfo>;
    type DoGetStream = Messages<FlightData>;
    type DoPutStream = Messages<PutResult>;
    type DoActionStream = Messages<arrow_flight::Result>;
    type ListActionsStream = Messages<ActionType>;
    type DoExchangeStream = Messages<FlightData>;

    async fn handshake(&self, request: Request<Streaming<HandshakeRequest>>) -> Answered<Self::HandshakeStream> {
        let token = self.login(request.metadata(), request.remote_addr()).await?;
        let header = Zeroizing::new(format!("Bearer {}", token.as_str()));
        let answer = HandshakeResponse { protocol_version: 0, payload: token.as_bytes().to_vec().into() };
        let mut response = Response::new(stream::iter([Ok(answer)]).boxed());
        let header = header.parse().map_err(|_| Status::internal("the token cannot be sent"))?;
        response.metadata_mut().insert("authorization", header);
        Ok(response)
    }

    async fn get_flight_info(&self, request: Request<FlightDescriptor>) -> Answered<FlightInfo> {
        let call = self.call(&request)?;
        self.info(&call, request.into_inner()).await.map(Response::new)
    }

    async fn get_schema(&self, request: Request<FlightDescriptor>) -> Answered<SchemaResult> {
        let call = self.call(&request)?;
        let schema = self.schema(&call, request.get_ref()).await?;
        Ok(Response::new(SchemaResult { schema: encoded(&schema)? }))
    }

    async fn do_get(&self, request: Request<Ticket>) -> Answered<Self::DoGetStream> {
        let call = self.call(&request)?;
        self.rows(&call, &request.get_ref().ticket).await.map(Response::new)
    }

    async fn do_action(&self, request: Request<Action>) -> Answered<Self::DoActionStream> {
        let call = self.call(&request)?;
        let results = self.act(&call, request.get_ref()).await?;
        Ok(Response::new(stream::iter(results.into_iter().map(Ok)).boxed()))
    }

    async fn list_actions(&self, request: Request<Empty>) -> Answered<Self::ListActionsStream> {
        self.call(&request)?;
        let action =
            |(name, says): (&str, &str)| Ok(ActionType { r#type: name.to_owned(), description: says.to_owned() });
        let actions = [
            ("CreatePreparedStatement", "Prepares a statement, which may have parameters"),
            ("ClosePreparedStatement", "Lets go of a prepared statement"),
            ("CancelQuery", "Ends a query"),
            ("CancelFlightInfo", "Ends a query"),
        ];
        Ok(Response::new(stream::iter(actions.map(action)).boxed()))
    }

    async fn list_flights(&self, request: Request<Criteria>) -> Answered<Self::ListFlightsStream> {
        self.call(&request)?;
        Err(Status::unimplemented("flights are not listed; ask for the tables"))
    }

    async fn poll_flight_info(&self, request: Request<FlightDescriptor>) -> Answered<PollInfo> {
        self.call(&request)?;
        Err(Status::unimplemented("queries are not polled; get their flight info"))
    }

    async fn do_put(&self, request: Request<Streaming<FlightData>>) -> Answered<Self::DoPutStream> {
        let call = self.call(&request)?;
        let result = self.parameters(&call, request.into_inner()).await?;
        Ok(Response::new(stream::iter([Ok(result)]).boxed()))
    }

    async fn do_exchange(&self, request: Request<Streaming<FlightData>>) -> Answered<Self::DoExchangeStream> {
        self.call(&request)?;
        Err(Status::unimplemented("nothing is exchanged here"))
    }
}
