//! Plans as bytes: what Ballista writes, and besides it what plainsight puts into plans.

use std::sync::Arc;

use ballista_core::serde::BallistaPhysicalExtensionCodec;
use datafusion::common::plan_datafusion_err;
use datafusion::error::Result;
use datafusion::execution::TaskContext;
use datafusion::logical_expr::ScalarUDF;
use datafusion::physical_plan::ExecutionPlan;
use datafusion_proto::physical_plan::{PhysicalExtensionCodec, PhysicalProtoConverterExtension};

use crate::corpus::source::SharedRows;
use crate::corpus::{Deidentifier, JoinBackCodec, bounded, is_bounded};

/// What the bytes of a join of answers to notes begin with; no message of Ballista's does.
const JOIN_BACK: &[u8] = b"\xffplainsight join back ";
/// What those of a table of notes begin with.
const NOTES: &[u8] = b"\xffplainsight notes ";
/// What is written of a function of the engine that refuses to make too much of its arguments. By its name alone it would be the engine's own.
const BOUNDED: &[u8] = b"\xffplainsight bounded";

/// Writes and reads plans, in the name of a deidentifier.
#[derive(Debug)]
pub(super) struct PhysicalCodec {
    rest: BallistaPhysicalExtensionCodec,
    join_back: JoinBackCodec,
}

impl PhysicalCodec {
    /// A codec whose plans are those of a deidentifier.
    pub(super) fn of(deidentifier: &Arc<Deidentifier>) -> Self {
        Self { rest: Default::default(), join_back: JoinBackCodec(Arc::clone(deidentifier)) }
    }
}

impl PhysicalExtensionCodec for PhysicalCodec {
    fn try_decode(
        &self,
        bytes: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        context: &TaskContext,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        if let (Some(bytes), [units]) = (bytes.strip_prefix(NOTES), inputs) {
            return Ok(Arc::new(SharedRows::decode(bytes, Arc::clone(units))?));
        }
        match bytes.strip_prefix(JOIN_BACK) {
            Some(bytes) => self.join_back.decode(bytes, inputs, context, self),
            None => self.rest.try_decode(bytes, inputs, context, converter),
        }
    }

    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        bytes: &mut Vec<u8>,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        if let Some(rows) = node.downcast_ref::<SharedRows>() {
            bytes.extend(NOTES.iter().chain(&rows.encode()?));
            return Ok(());
        }
        match self.join_back.encode(&node, self)? {
            Some(message) => {
                bytes.extend(JOIN_BACK.iter().chain(&message));
                Ok(())
            }
            None => self.rest.try_encode(node, bytes, converter),
        }
    }

    fn try_decode_udf(&self, name: &str, bytes: &[u8]) -> Result<Arc<ScalarUDF>> {
        match bytes {
            BOUNDED => {
                bounded(name).map(Arc::new).ok_or_else(|| plan_datafusion_err!("no function `{name}` is bounded here"))
            }
            _ => self.rest.try_decode_udf(name, bytes),
        }
    }

    fn try_encode_udf(&self, function: &ScalarUDF, bytes: &mut Vec<u8>) -> Result<()> {
        if is_bounded(function) {
            bytes.extend(BOUNDED);
            return Ok(());
        }
        self.rest.try_encode_udf(function, bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounded_functions_stay_bounded() {
        let codec = PhysicalCodec::of(&Arc::new(Deidentifier::new()));
        let mut bytes = Vec::new();
        codec.try_encode_udf(&bounded("replace").unwrap(), &mut bytes).unwrap();
        assert!(is_bounded(&codec.try_decode_udf("replace", &bytes).unwrap()));
        assert!(codec.try_decode_udf("lower", &bytes).is_err());
    }
}
