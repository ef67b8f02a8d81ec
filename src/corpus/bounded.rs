//! Functions of the engine that make much of little, for sessions of others: what they may make at most is worked out before they make it, for the engine
//! counts neither their memory nor their time.
//!
//! ```text
//! replace(text, 'a', 'aaaaaaaaaa')            ten times as much at most: it is done
//! replace(replace(replace(… ten levels …)))   10 GB of one letter: RESOURCES EXHAUSTED, from the level on that is too much
//! ```

use std::sync::Arc;

use arrow::array::{Array, AsArray};
use arrow::compute::cast;
use arrow::compute::kernels::length::length;
use arrow::datatypes::{DataType, FieldRef, Int64Type};
use datafusion::common::resources_err;
use datafusion::error::Result;
use datafusion::execution::{FunctionRegistry, SessionStateDefaults};
use datafusion::logical_expr::simplify::{ExprSimplifyResult, SimplifyContext};
use datafusion::logical_expr::{
    ColumnarValue, Documentation, Expr, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature,
};
use datafusion::prelude::SessionContext;

/// How many bytes a function may make of one batch of rows.
const MOST_BYTES: u64 = 512 << 20;
/// How many bytes it may make of constants: the planner writes those down wherever the plan names them.
const LONGEST_CONSTANT: u64 = 64 << 10;
/// How many pairs of letters may be compared in one batch of rows: some seconds.
const MOST_PAIRS: u64 = 2_000_000_000;
/// A number or a time as text has no more bytes.
const NUMBER: u64 = 64;

/// The functions, by the names that the engine has for them.
const FUNCTIONS: [(&str, Growth); 7] = [
    ("replace", Growth::Replace),
    ("regexp_replace", Growth::RegexpReplace),
    ("encode", Growth::Encode),
    ("concat_ws", Growth::ConcatWs),
    ("array_to_string", Growth::ArrayToString),
    ("to_char", Growth::ToChar),
    ("levenshtein", Growth::Levenshtein),
];

/// Has a session refuse calls that would make too much.
pub(super) fn bound(context: &SessionContext) {
    for (name, growth) in FUNCTIONS {
        // A build of the engine may lack one.
        if let Ok(inner) = context.udf(name) {
            context.register_udf(ScalarUDF::new_from_impl(Bounded { inner, growth }));
        }
    }
}

/// Whether a function is one that is bounded here: in plans that travel it must stay so.
pub(crate) fn is_bounded(function: &ScalarUDF) -> bool {
    function.inner().is::<Bounded>()
}

/// A function of the engine, bounded; none where it has none of that name, or its calls need no bounds.
pub(crate) fn bounded(name: &str) -> Option<ScalarUDF> {
    let (_, growth) = FUNCTIONS.into_iter().find(|(known, _)| *known == name)?;
    let inner = SessionStateDefaults::default_scalar_functions().into_iter().find(|known| known.name() == name)?;
    Some(ScalarUDF::new_from_impl(Bounded { inner, growth }))
}

/// How what a function makes grows with its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Growth {
    Replace,
    RegexpReplace,
    Encode,
    ConcatWs,
    ArrayToString,
    ToChar,
    Levenshtein,
}

impl Growth {
    /// What it makes at most of a row whose arguments are so long, in bytes; for a distance in pairs of letters.
    fn most(self, lengths: &[u64]) -> u64 {
        let of = |index: usize| lengths.get(index).copied().unwrap_or_default();
        let times = u64::saturating_mul;
        match self {
            Self::Replace => of(0).saturating_add(times(of(0) / of(1).max(1) + 1, of(2))),
            // At each letter, with what was found there once more for each mention of it.
            Self::RegexpReplace => of(0).saturating_add(times(2 * (of(0) + 1), of(2))),
            Self::Encode => times(2, of(0)),
            Self::ConcatWs => lengths.iter().sum::<u64>().saturating_add(times(of(0), lengths.len() as u64)),
            Self::ArrayToString => times(of(0), of(1).saturating_add(NUMBER)),
            Self::ToChar => times(NUMBER, of(1)),
            Self::Levenshtein => times(of(0), of(1)),
        }
    }

    const fn limit(self, of_constants: bool) -> u64 {
        match self {
            Self::Levenshtein => MOST_PAIRS,
            _ if of_constants => LONGEST_CONSTANT,
            _ => MOST_BYTES,
        }
    }
}

/// A function whose calls are looked at before they are done.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Bounded {
    inner: Arc<ScalarUDF>,
    growth: Growth,
}

impl Bounded {
    fn check(&self, arguments: &ScalarFunctionArgs) -> Result<()> {
        let of_constants = arguments.args.iter().all(|argument| matches!(argument, ColumnarValue::Scalar(_)));
        let lengths = arguments.args.iter().map(lengths).collect::<Result<Vec<_>>>()?;
        let of_row = |row: usize| -> Vec<u64> {
            lengths.iter().map(|column| column.get(row).or(column.first()).copied().unwrap_or_default()).collect()
        };
        let rows = if of_constants { 1 } else { arguments.number_rows };
        let all = (0..rows).map(|row| self.growth.most(&of_row(row))).fold(0, u64::saturating_add);
        match all > self.growth.limit(of_constants) {
            true => resources_err!("{} would make too much of its arguments", self.inner.name()),
            false => Ok(()),
        }
    }
}

/// The length of each value, in bytes or elements; one for all rows of a constant.
fn lengths(value: &ColumnarValue) -> Result<Vec<u64>> {
    let array = match value {
        ColumnarValue::Array(array) => Arc::clone(array),
        ColumnarValue::Scalar(scalar) => scalar.to_array_of_size(1)?,
    };
    match length(array.as_ref()) {
        Ok(counted) => {
            let counted = cast(&counted, &DataType::Int64)?;
            Ok(counted
                .as_primitive::<Int64Type>()
                .iter()
                .map(|count| count.unwrap_or_default().unsigned_abs())
                .collect())
        }
        // Neither text nor a list.
        Err(_) => Ok(vec![NUMBER; array.len()]),
    }
}

impl ScalarUDFImpl for Bounded {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn aliases(&self) -> &[String] {
        self.inner.aliases()
    }

    fn signature(&self) -> &Signature {
        self.inner.signature()
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        self.inner.return_type(types)
    }

    fn return_field_from_args(&self, arguments: ReturnFieldArgs<'_>) -> Result<FieldRef> {
        self.inner.return_field_from_args(arguments)
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        self.inner.coerce_types(types)
    }

    fn simplify(&self, arguments: Vec<Expr>, info: &SimplifyContext) -> Result<ExprSimplifyResult> {
        match self.growth {
            // It would join constants itself.
            Growth::ConcatWs => Ok(ExprSimplifyResult::Original(arguments)),
            _ => self.inner.simplify(arguments, info),
        }
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.inner.documentation()
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        self.check(&arguments)?;
        self.inner.invoke_with_args(arguments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn ask(statement: &str) -> Result<usize> {
        let context = SessionContext::new();
        bound(&context);
        Ok(context.sql(statement).await?.collect().await?.iter().map(arrow::array::RecordBatch::num_rows).sum())
    }

    #[tokio::test]
    async fn what_makes_too_much_is_refused_before_it_is_made() {
        let (many, more) = ("a".repeat(100_000), "b".repeat(100_000));
        let nested = (0..12).fold("'a'".to_owned(), |inner, _| format!("replace({inner}, 'a', 'aaaaaaaaaa')"));
        let encoded = (0..40).fold("'a'".to_owned(), |inner, _| format!("encode({inner}, 'hex')"));
        let items = vec!["1"; 200].join(",");
        let calls = [
            nested,
            encoded,
            format!("replace('{many}', 'a', '{more}')"),
            format!("regexp_replace('{many}', 'a', '{more}', 'g')"),
            format!("concat_ws('{more}', {})", vec!["''"; 200].join(",")),
            format!("array_to_string([{items}], '{more}')"),
            format!("levenshtein('{many}', '{more}')"),
        ];
        for call in calls {
            let told = ask(&format!("SELECT length({call}::text)")).await;
            let is_refused = told.as_ref().is_err_and(|told| told.to_string().contains("too much"));
            assert!(
                is_refused,
                "{}: {:?}",
                &call[..20],
                told.map_err(|told| told.to_string().chars().take(200).collect::<String>())
            );
        }
    }

    #[test]
    fn every_bounded_function_can_be_had_by_its_name() {
        for (name, _) in FUNCTIONS {
            assert!(bounded(name).is_some_and(|function| is_bounded(&function)), "{name}");
        }
        let lower = SessionStateDefaults::default_scalar_functions().into_iter().find(|known| known.name() == "lower");
        assert!(bounded("lower").is_none() && !is_bounded(&lower.unwrap()));
    }

    #[tokio::test]
    async fn what_makes_little_is_done() {
        for call in [
            "replace('a b', ' ', '-') = 'a-b'",
            "regexp_replace('a1b2', '([0-9])', '<\\1>', 'g') = 'a<1>b<2>'",
            "encode('a', 'hex') = '61'",
            "concat_ws(', ', 'a', NULL, 'b') = 'a, b'",
            "array_to_string([1, 2], '-') = '1-2'",
            "to_char(DATE '2019-03-04', '%d') = '04'",
            "levenshtein('kitten', 'sitting') = 3",
        ] {
            assert_eq!(ask(&format!("SELECT 1 WHERE {call}")).await.unwrap(), 1, "{call}");
        }
    }
}
