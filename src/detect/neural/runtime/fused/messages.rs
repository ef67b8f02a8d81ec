//! The parts of an ONNX file that are read and written anew, by the field numbers of `onnx.proto`.
//!
//! Fields that no exporter of ours writes (texts for people, metadata, sparse weights) are left out, and inputs and outputs are handed on
//! as the bytes that they are.

/// A whole file.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Model {
    #[prost(int64, optional, tag = "1")]
    pub(super) ir_version: Option<i64>,
    #[prost(message, optional, tag = "7")]
    pub(super) graph: Option<Graph>,
    #[prost(message, repeated, tag = "8")]
    pub(super) opset_import: Vec<OperatorSet>,
}

/// Which operators the nodes of one domain are of.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct OperatorSet {
    #[prost(string, optional, tag = "1")]
    pub(super) domain: Option<String>,
    #[prost(int64, optional, tag = "2")]
    pub(super) version: Option<i64>,
}

/// Nodes in an order in which each comes after those that it needs.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Graph {
    #[prost(message, repeated, tag = "1")]
    pub(super) node: Vec<Node>,
    #[prost(string, optional, tag = "2")]
    pub(super) name: Option<String>,
    #[prost(message, repeated, tag = "5")]
    pub(super) initializer: Vec<Tensor>,
    #[prost(message, repeated, tag = "11")]
    pub(super) input: Vec<Value>,
    #[prost(message, repeated, tag = "12")]
    pub(super) output: Vec<Value>,
}

/// An input or output: its name, and its type as it is written.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Value {
    #[prost(string, optional, tag = "1")]
    pub(super) name: Option<String>,
    #[prost(bytes = "vec", optional, tag = "2")]
    pub(super) kind: Option<Vec<u8>>,
}

/// One operation on values that have names.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Node {
    #[prost(string, repeated, tag = "1")]
    pub(super) input: Vec<String>,
    #[prost(string, repeated, tag = "2")]
    pub(super) output: Vec<String>,
    #[prost(string, optional, tag = "3")]
    pub(super) name: Option<String>,
    #[prost(string, optional, tag = "4")]
    pub(super) op_type: Option<String>,
    #[prost(message, repeated, tag = "5")]
    pub(super) attribute: Vec<Attribute>,
    #[prost(string, optional, tag = "7")]
    pub(super) domain: Option<String>,
}

/// A constant of an operation.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Attribute {
    #[prost(string, optional, tag = "1")]
    pub(super) name: Option<String>,
    #[prost(float, optional, tag = "2")]
    pub(super) f: Option<f32>,
    #[prost(int64, optional, tag = "3")]
    pub(super) i: Option<i64>,
    #[prost(bytes = "vec", optional, tag = "4")]
    pub(super) s: Option<Vec<u8>>,
    #[prost(message, optional, tag = "5")]
    pub(super) t: Option<Tensor>,
    #[prost(bytes = "vec", optional, tag = "6")]
    pub(super) g: Option<Vec<u8>>,
    #[prost(float, repeated, tag = "7", packed = "false")]
    pub(super) floats: Vec<f32>,
    #[prost(int64, repeated, tag = "8", packed = "false")]
    pub(super) ints: Vec<i64>,
    #[prost(int32, optional, tag = "20")]
    pub(super) kind: Option<i32>,
}

/// Numbers with their sizes.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Tensor {
    #[prost(int64, repeated, tag = "1", packed = "false")]
    pub(super) dims: Vec<i64>,
    #[prost(int32, optional, tag = "2")]
    pub(super) data_type: Option<i32>,
    #[prost(float, repeated, tag = "4")]
    pub(super) float_data: Vec<f32>,
    #[prost(int32, repeated, tag = "5")]
    pub(super) int32_data: Vec<i32>,
    #[prost(int64, repeated, tag = "7")]
    pub(super) int64_data: Vec<i64>,
    #[prost(string, optional, tag = "8")]
    pub(super) name: Option<String>,
    #[prost(bytes = "vec", optional, tag = "9")]
    pub(super) raw_data: Option<Vec<u8>>,
}

/// `TensorProto.DataType`.
pub(super) const FLOAT: i32 = 1;
/// Eight bits, without and with a sign.
pub(super) const UINT8: i32 = 2;
pub(super) const INT8: i32 = 3;
/// Sixteen bits in floating point.
pub(super) const FLOAT16: i32 = 10;

/// `AttributeProto.AttributeType`.
const OF_FLOAT: i32 = 1;
const OF_INT: i32 = 2;

impl Node {
    /// An operation of ONNX, or of ONNX Runtime's own (`domain`).
    pub(super) fn new(domain: Option<&str>, operation: &str, input: &[&str], output: &str) -> Self {
        Self {
            input: input.iter().map(|&name| name.to_owned()).collect(),
            output: vec![output.to_owned()],
            op_type: Some(operation.to_owned()),
            domain: domain.map(str::to_owned),
            ..Self::default()
        }
    }

    /// The same with a whole number as a constant.
    pub(super) fn with_int(mut self, name: &str, value: i64) -> Self {
        let attribute =
            Attribute { name: Some(name.to_owned()), i: Some(value), kind: Some(OF_INT), ..Attribute::default() };
        self.attribute.push(attribute);
        self
    }

    /// The same with a number as a constant.
    pub(super) fn with_float(mut self, name: &str, value: f32) -> Self {
        let attribute =
            Attribute { name: Some(name.to_owned()), f: Some(value), kind: Some(OF_FLOAT), ..Attribute::default() };
        self.attribute.push(attribute);
        self
    }

    /// Whether it is this operation.
    pub(super) fn is(&self, operation: &str) -> bool {
        self.op_type.as_deref() == Some(operation)
    }

    /// A constant of it.
    pub(super) fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attribute.iter().find(|attribute| attribute.name.as_deref() == Some(name))
    }
}
