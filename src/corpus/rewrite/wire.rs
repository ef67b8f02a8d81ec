//! What joins answers back, as bytes, for the machines of a cluster: what it is over. Its inputs travel beside it, and whoever reads it puts in what is its own.

use std::sync::Arc;

use datafusion::common::plan_datafusion_err;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::TaskContext;
use datafusion::physical_plan::ExecutionPlan;
use datafusion_proto::physical_plan::PhysicalExtensionCodec;
use datafusion_proto::physical_plan::from_proto::parse_physical_expr;
use datafusion_proto::physical_plan::to_proto::serialize_physical_expr;
use datafusion_proto::protobuf::PhysicalExprNode;
use prost::Message;

use super::execution::{Expressions, JoinBackExec};
use crate::corpus::deidentifier::Deidentifier;

/// What is over a text, and perhaps a patient, and adds a column.
#[derive(Clone, PartialEq, Message)]
struct Over {
    #[prost(message, optional, tag = "1")]
    text: Option<PhysicalExprNode>,
    #[prost(message, optional, tag = "2")]
    patient: Option<PhysicalExprNode>,
    #[prost(string, tag = "3")]
    column: String,
}

/// Writes and reads it, in the name of a deidentifier.
#[derive(Debug, Clone)]
pub(crate) struct JoinBackCodec(pub(crate) Arc<Deidentifier>);

impl JoinBackCodec {
    /// The bytes of a node of a physical plan; none for another's.
    ///
    /// # Errors
    /// [`DataFusionError`] for an expression that cannot be written.
    pub(crate) fn encode(
        &self,
        node: &Arc<dyn ExecutionPlan>,
        codec: &dyn PhysicalExtensionCodec,
    ) -> Result<Option<Vec<u8>>> {
        let Some(node) = node.downcast_ref::<JoinBackExec>() else { return Ok(None) };
        let written = |expression| serialize_physical_expr(expression, codec);
        let Expressions { text, patient, column } = node.expressions();
        let message = Over {
            text: Some(written(text)?),
            patient: patient.as_ref().map(written).transpose()?,
            column: column.clone(),
        };
        Ok(Some(message.encode_to_vec()))
    }

    /// The node of such bytes.
    ///
    /// # Errors
    /// [`DataFusionError`] for bytes that are none.
    pub(crate) fn decode(
        &self,
        bytes: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        context: &TaskContext,
        codec: &dyn PhysicalExtensionCodec,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let message = Over::decode(bytes).map_err(fault)?;
        let ([answers, notes], Some(text)) = (inputs, &message.text) else { return Err(broken()) };
        let schema = notes.schema();
        let read = |expression: &PhysicalExprNode| parse_physical_expr(expression, context, &schema, codec);
        let patient = message.patient.as_ref().map(read).transpose()?;
        let expressions = Expressions { text: read(text)?, patient, column: message.column };
        let inputs = [Arc::clone(answers), Arc::clone(notes)];
        Ok(Arc::new(JoinBackExec::new(inputs, expressions, Arc::clone(&self.0), Arc::default())))
    }
}

fn fault(error: impl std::fmt::Display) -> DataFusionError {
    plan_datafusion_err!("JoinBack: {error}")
}

fn broken() -> DataFusionError {
    plan_datafusion_err!("JoinBack has a text and two inputs")
}
