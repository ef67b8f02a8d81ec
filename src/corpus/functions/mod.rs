//! The rooms below as SQL functions, one a file.
//!
//! ```sql
//! SELECT note_id, deidentify(text, patient_id) FROM 'notes/';
//! ```
//!
//! [`functions`] are for everyone; [`stage_functions`] are the further ones that the statements of a run use. Text arguments
//! take every string type; a null argument gives null.

mod confident_values;
mod deidentify;
mod first_sentences;
mod is_included;
mod is_medical;
mod kept_value;
mod mapped_value;
mod note_spans;
mod patient_number;
mod phi_spans;
mod pseudonym;
mod replace_spans;
mod sentence_answer;
mod sentence_counts;
mod sentence_hash;
mod sentence_route;
mod sentences;
mod shift_date;
mod spans;
mod spread;
mod surrogate;
mod task_of;
mod templates;
mod ways;

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, StringViewArray};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use async_trait::async_trait;
use datafusion::common::{DataFusionError, Result, ScalarValue, exec_err, plan_err};
use datafusion::logical_expr::async_udf::{AsyncScalarUDF, AsyncScalarUDFImpl};
use datafusion::logical_expr::{
    ColumnarValue, DocSection, Documentation, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, TypeSignature,
    Volatility,
};

use super::claims::SentenceClaims;
use super::deidentifier::Deidentifier;
use super::index::{CountIndex, PatientDictionaries};
use super::progress::Meter;
use super::source::identifiers;

pub(super) use kept_value::keeps_another;
pub(super) use mapped_value::{holds_more, is_placeholder, told};
pub(super) use note_spans::claims_on_notes;
pub(super) use pseudonym::pseudonyms_within;
pub use sentence_answer::Detection;
pub(super) use shift_date::zone;
pub use spans::{claim_type, read_spans};

/// The functions that every session has.
pub fn functions(deidentifier: &Arc<Deidentifier>) -> Vec<ScalarUDF> {
    vec![
        sentences::function(deidentifier),
        sentence_hash::function(deidentifier),
        phi_spans::spans(deidentifier),
        phi_spans::score(deidentifier),
        is_included::function(deidentifier),
        templates::syntax(deidentifier),
        templates::ner(deidentifier),
        surrogate::function(deidentifier),
        shift_date::function(deidentifier),
        deidentify::function(deidentifier),
    ]
}

/// The functions that the statements of a run use besides.
pub fn stage_functions(deidentifier: &Arc<Deidentifier>) -> Vec<ScalarUDF> {
    vec![
        sentence_counts::function(deidentifier),
        sentence_route::function(deidentifier),
        sentence_answer::function(deidentifier, &Arc::default(), &Meter::default()),
        replace_spans::function(deidentifier),
        replace_spans::places(deidentifier),
        mapped_value::function(deidentifier),
        is_medical::function(),
        patient_number::function(deidentifier),
        task_of::function(deidentifier),
        spans::located(),
        pseudonym::function(deidentifier),
    ]
}

/// The function that gives the sentences that stand first in a document.
pub fn first_sentences(deidentifier: &Arc<Deidentifier>, counts: &Arc<CountIndex>) -> ScalarUDF {
    first_sentences::function(deidentifier, counts)
}

/// The function that detects, as `detection` has it.
pub fn sentence_answer(deidentifier: &Arc<Deidentifier>, detection: &Arc<Detection>, meter: &Meter) -> ScalarUDF {
    sentence_answer::function(deidentifier, detection, meter)
}

/// The function that tells what the claims on sentences say of a note's patient.
pub fn confident_values(deidentifier: &Arc<Deidentifier>, claims: &Arc<SentenceClaims>) -> ScalarUDF {
    confident_values::function(deidentifier, claims)
}

/// The function that joins the claims on sentences back to notes, and matches what is known of their patients.
pub fn join_back(
    deidentifier: &Arc<Deidentifier>,
    claims: &Arc<SentenceClaims>,
    dictionaries: Option<&Arc<PatientDictionaries>>,
) -> ScalarUDF {
    note_spans::function(deidentifier, claims, dictionaries)
}

/// What the optimizer puts in the place of `phi_spans` and `phi_score` where the claims on a text are known.
pub(super) use phi_spans::{score_of_claims, spans_of_claims};
/// The function that replaces by claims.
pub(super) use replace_spans::function as replace_spans;
/// The function that cuts sentences.
pub(super) use sentences::function as sentences;

type Kernel = Arc<dyn Fn(&[ArrayRef]) -> Result<ArrayRef> + Send + Sync>;

/// What an argument of a function may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Argument {
    /// Text of any string type: arrives as a view of UTF-8.
    Text(&'static str),
    /// An identifier, a string or a number: arrives as a view of UTF-8, 17.0 as 17.
    Identifier(&'static str),
    /// A string or an integer: arrives as a view of UTF-8.
    Value(&'static str),
    /// A date, a timestamp, or one of them written as text: arrives as it is.
    Date(&'static str),
    /// Anything: arrives as it is.
    Any(&'static str),
}

/// A SQL function: arguments that are checked and brought into one form, and a kernel over arrays.
struct Function {
    name: &'static str,
    arguments: Vec<Vec<Argument>>,
    returns: fn(&[DataType]) -> DataType,
    kernel: Kernel,
    /// Whether the rows of a batch are worth several threads.
    spread: bool,
    signature: Signature,
    documentation: Documentation,
}

impl Function {
    /// A function with one or more forms of arguments.
    fn define(
        name: &'static str,
        forms: &[&[Argument]],
        returns: fn(&[DataType]) -> DataType,
        documentation: (&str, &str),
        kernel: impl Fn(&[ArrayRef]) -> Result<ArrayRef> + Send + Sync + 'static,
    ) -> ScalarUDF {
        ScalarUDF::new_from_impl(Self::new(name, forms, returns, documentation, kernel))
    }

    /// This one, which takes so long with each row, by itself, that the rows of a batch are spread over the workers.
    fn spread(self) -> ScalarUDF {
        ScalarUDF::new_from_impl(Self { spread: true, ..self })
    }

    fn new(
        name: &'static str,
        forms: &[&[Argument]],
        returns: fn(&[DataType]) -> DataType,
        documentation: (&str, &str),
        kernel: impl Fn(&[ArrayRef]) -> Result<ArrayRef> + Send + Sync + 'static,
    ) -> Self {
        let section = DocSection { include: true, label: "De-identification", description: None };
        let mut described = Documentation::builder(section, documentation.1, documentation.0);
        for argument in forms.iter().max_by_key(|form| form.len()).into_iter().flat_map(|form| form.iter()) {
            described = described.with_argument(argument.name(), argument.describe());
        }
        // Types stay as they are; what may be given is listed for SHOW FUNCTIONS.
        let listed = forms.iter().map(|form| TypeSignature::Exact(vec![DataType::Utf8View; form.len()]));
        let signatures = std::iter::once(TypeSignature::UserDefined).chain(listed).collect();
        Self {
            name,
            arguments: forms.iter().map(|form| form.to_vec()).collect(),
            returns,
            kernel: Arc::new(kernel),
            spread: false,
            signature: Signature::one_of(signatures, Volatility::Immutable),
            documentation: described.build(),
        }
    }

    fn form(&self, count: usize) -> Result<&[Argument]> {
        match self.arguments.iter().find(|form| form.len() == count) {
            Some(form) => Ok(form),
            None => plan_err!("{} does not take {count} arguments", self.name),
        }
    }
}

impl Argument {
    fn name(self) -> &'static str {
        match self {
            Self::Text(name) | Self::Value(name) | Self::Identifier(name) | Self::Date(name) | Self::Any(name) => name,
        }
    }

    fn describe(self) -> &'static str {
        match self {
            Self::Text(_) => "text of any string type",
            Self::Identifier(_) => "an identifier: text or a number",
            Self::Value(_) => "text or an integer",
            Self::Date(_) => "a date, a timestamp, or one written as text",
            Self::Any(_) => "a value, as the description says",
        }
    }

    fn check(self, function: &str, data_type: &DataType) -> Result<()> {
        let value = match data_type {
            DataType::Dictionary(_, value) => value.as_ref(),
            other => other,
        };
        let text = matches!(value, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null);
        match self {
            Self::Text(name) if !text => plan_err!("{function}: argument `{name}` must be text, not {data_type}"),
            Self::Identifier(name) if !text && !value.is_numeric() => {
                plan_err!("{function}: argument `{name}` must be text or a number, not {data_type}")
            }
            Self::Value(name) if !text && !value.is_integer() => {
                plan_err!("{function}: argument `{name}` must be text or an integer, not {data_type}")
            }
            Self::Date(name) if !text && !is_date(value) => {
                plan_err!("{function}: argument `{name}` must be a date, a timestamp or text, not {data_type}")
            }
            _ => Ok(()),
        }
    }

    fn prepare(self, array: &ArrayRef) -> Result<ArrayRef> {
        match self {
            Self::Date(_) => match array.data_type() {
                DataType::Dictionary(_, value) => Ok(cast(array, value)?),
                _ => Ok(Arc::clone(array)),
            },
            Self::Any(_) => Ok(Arc::clone(array)),
            Self::Text(_) | Self::Value(_) => Ok(cast(array, &DataType::Utf8View)?),
            // As in notes and records: 17 and 17.0 are one.
            Self::Identifier(_) => Ok(Arc::new(identifiers(array)?)),
        }
    }
}

const fn is_date(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Date32 | DataType::Date64 | DataType::Timestamp(..))
}

impl ScalarUDFImpl for Function {
    fn name(&self) -> &str {
        self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        Ok(types.to_vec())
    }

    /// A wrong number or type of arguments is told here, in our words: what coercion refuses, the engine tells in its own.
    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        for (argument, data_type) in self.form(types.len())?.iter().zip(types) {
            argument.check(self.name, data_type)?;
        }
        Ok((self.returns)(types))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let constant = args.args.iter().all(|argument| matches!(argument, ColumnarValue::Scalar(_)));
        let rows = if constant { 1 } else { args.number_rows };
        let form = self.form(args.args.len())?;
        let arrays = args
            .args
            .iter()
            .zip(form)
            .map(|(value, argument)| argument.prepare(&value.to_array(rows)?))
            .collect::<Result<Vec<_>>>()?;
        let result = if self.spread {
            spread::over_rows(&arrays, args.config_options.execution.target_partitions, self.kernel.as_ref())?
        } else {
            (self.kernel)(&arrays)?
        };
        if result.len() != rows {
            return exec_err!("{} made {} values of {rows} rows", self.name, result.len());
        }
        if constant {
            Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&result, 0)?))
        } else {
            Ok(ColumnarValue::Array(result))
        }
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}

/// A function that may take long, for it runs models: a thread of its own computes it, and what reads and joins goes on.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Deferred(Arc<Function>, Signature);

impl Deferred {
    /// The same function of texts, asynchronous. The engine does not ask asynchronous functions to convert their arguments, so the
    /// signature names the types.
    fn define(function: Function) -> ScalarUDF {
        let text = vec![DataType::Utf8View, DataType::Utf8, DataType::LargeUtf8];
        let signature = Signature::uniform(function.arguments[0].len(), text, Volatility::Immutable);
        AsyncScalarUDF::new(Arc::new(Self(Arc::new(function), signature))).into_scalar_udf()
    }
}

impl ScalarUDFImpl for Deferred {
    fn name(&self) -> &str {
        self.0.name
    }

    fn signature(&self) -> &Signature {
        &self.1
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        self.0.return_type(types)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        self.0.invoke_with_args(args)
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.0.documentation()
    }
}

#[async_trait]
impl AsyncScalarUDFImpl for Deferred {
    async fn invoke_async_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let (function, rows) = (Arc::clone(&self.0), args.number_rows);
        let computed = tokio::task::spawn_blocking(move || function.invoke_with_args(args)).await;
        let value = computed.map_err(|error| DataFusionError::External(Box::new(error)))??;
        Ok(ColumnarValue::Array(value.to_array(rows)?))
    }
}

impl std::fmt::Debug for Function {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.name)
    }
}

impl PartialEq for Function {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.kernel, &other.kernel)
    }
}

impl Eq for Function {}

impl Hash for Function {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
        (Arc::as_ptr(&self.kernel) as *const ()).hash(state);
    }
}

/// A prepared text argument.
fn text(array: &ArrayRef) -> &StringViewArray {
    array.as_string_view()
}

/// A row's text; none where it is null.
fn valid(texts: &StringViewArray, row: usize) -> Option<&str> {
    texts.is_valid(row).then(|| texts.value(row))
}
