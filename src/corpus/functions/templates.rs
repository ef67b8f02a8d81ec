//! `syntax_template(sentence, claims)` and `ner_template(sentence, claims)`: the shape of a sentence, as templates are harvested by.

use std::sync::Arc;

use arrow::array::{Array, StringViewArray};
use arrow::datatypes::DataType;
use datafusion::logical_expr::ScalarUDF;

use super::spans::read_spans;
use super::{Argument, Function, text, valid};
use crate::detect::template::{ner_template, syntax_template};
use crate::phi::Span;

/// `syntax_template`.
pub(super) fn syntax() -> ScalarUDF {
    const SAYS: &str = "The sentence with each token of a claim replaced by {W} (letters), {N} (digits) or {A} (both); null where no template can be made of it.";
    function("syntax_template", ("syntax_template(sentence, claims)", SAYS), syntax_template)
}

/// `ner_template`.
pub(super) fn ner() -> ScalarUDF {
    const SAYS: &str = "The sentence with each token of a claim replaced by its tag, {B-DATE:full} or {I-DATE:full}; null where no template can be made of it.";
    function("ner_template", ("ner_template(sentence, claims)", SAYS), ner_template)
}

fn function(name: &'static str, documentation: (&str, &str), shape: fn(&str, &[Span]) -> Option<String>) -> ScalarUDF {
    Function::define(
        name,
        &[&[Argument::Text("sentence"), Argument::Any("claims")]],
        |_| DataType::Utf8View,
        documentation,
        move |arguments| {
            let (sentences, claims) = (text(&arguments[0]), &arguments[1]);
            let shaped = read_spans(claims)?.into_iter().enumerate().map(|(row, spans)| {
                valid(sentences, row).filter(|_| claims.is_valid(row)).and_then(|sentence| shape(sentence, &spans))
            });
            Ok(Arc::new(shaped.collect::<StringViewArray>()))
        },
    )
}
