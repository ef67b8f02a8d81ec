//! `syntax_template` and `ner_template`: the shape of a sentence, as templates are harvested by.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, StringViewArray};
use arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::logical_expr::ScalarUDF;

use super::spans::{check_fit, read_spans};
use super::{Argument, Function, text, valid};
use crate::corpus::deidentifier::Deidentifier;
use crate::detect::template::{ner_template, syntax_template};
use crate::phi::Span;

/// `syntax_template`.
pub(super) fn syntax(deidentifier: &Arc<Deidentifier>) -> ScalarUDF {
    const SAYS: &str = "The text with each token of an identifier replaced by {W} (letters), {N} (digits) or {A} (both); null where no template can be made of it. Claims are found, or given as the stages of a run have them.";
    function("syntax_template", ("syntax_template(text[, claims])", SAYS), syntax_template, deidentifier)
}

/// `ner_template`.
pub(super) fn ner(deidentifier: &Arc<Deidentifier>) -> ScalarUDF {
    const SAYS: &str = "The text with each token of an identifier replaced by its tag, {B-DATE:full} or {I-DATE:full}; null where no template can be made of it. Claims are found, or given as the stages of a run have them.";
    function("ner_template", ("ner_template(text[, claims])", SAYS), ner_template, deidentifier)
}

type Shape = fn(&str, &[Span]) -> Option<String>;

fn function(
    name: &'static str,
    documentation: (&str, &str),
    shape: Shape,
    deidentifier: &Arc<Deidentifier>,
) -> ScalarUDF {
    let deidentifier = Arc::clone(deidentifier);
    Function::define(
        name,
        &[&[Argument::Text("text")], &[Argument::Text("text"), Argument::Any("claims")]],
        |_| DataType::Utf8View,
        documentation,
        move |arguments| {
            let texts = text(&arguments[0]);
            let spans = match arguments.get(1) {
                Some(claims) => {
                    let spans = read_spans(claims)?;
                    let mut given = texts.iter().zip(&spans).filter_map(|(text, spans)| Some((text?, spans)));
                    given.try_for_each(|(text, spans)| check_fit(text, spans))?;
                    spans
                }
                None => found(texts, &deidentifier)?,
            };
            let known = |row| arguments.get(1).is_none_or(|claims: &ArrayRef| claims.is_valid(row));
            let shaped = spans
                .into_iter()
                .enumerate()
                .map(|(row, spans)| valid(texts, row).filter(|_| known(row)).and_then(|text| shape(text, &spans)));
            Ok(Arc::new(shaped.collect::<StringViewArray>()))
        },
    )
}

/// What the ensemble finds in each text; nothing where it is null.
fn found(texts: &StringViewArray, deidentifier: &Deidentifier) -> Result<Vec<Vec<Span>>> {
    let mut found = deidentifier.found_in(texts)?.into_iter();
    Ok(texts.iter().map(|text| text.and_then(|_| found.next()).unwrap_or_default()).collect())
}
