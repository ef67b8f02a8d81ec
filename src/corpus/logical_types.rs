//! What Parquet files say of their columns that Arrow has no type for, so that it would be lost between input and output: UUID, JSON, ENUM …, and the
//! ids by which some readers find fields.
//!
//! ```text
//! in   id FIXED_LEN_BYTE_ARRAY(16) UUID = 5      as Arrow has it   FixedSizeBinary(16)      out   the same as in
//! ```
//!
//! How values are stored, which may be null and how they nest is always the output's own: of the input, annotations alone are taken over.

use std::sync::Arc;

use arrow::datatypes::Schema;
use parquet::arrow::ArrowSchemaConverter;
use parquet::basic::{ConvertedType, LogicalType};
use parquet::errors::ParquetError;
use parquet::schema::types::{BasicTypeInfo, SchemaDescriptor, Type, TypePtr};

/// The columns of files as Parquet has them.
#[derive(Debug, Clone, Default)]
pub struct LogicalTypes(Arc<[TypePtr]>);

impl LogicalTypes {
    /// The columns of which all files say the same, given their schemas.
    pub fn of_all<'f>(mut files: impl Iterator<Item = &'f Type>) -> Self {
        let mut columns = files.next().map(|first| first.get_fields().to_vec()).unwrap_or_default();
        for file in files {
            columns.retain(|column| file.get_fields().iter().any(|other| is_alike(column, other)));
        }
        Self(columns.into())
    }

    /// The schema of an output in Parquet, annotated as its input was; none where that makes no difference. `is_kept` tells of which columns the
    /// values are those of the input: others are of no more than of the same id.
    ///
    /// # Errors
    /// [`ParquetError`] where the schema has a type that Parquet cannot hold.
    pub fn annotate(
        &self,
        schema: &Schema,
        is_kept: impl Fn(&str) -> bool,
    ) -> Result<Option<SchemaDescriptor>, ParquetError> {
        if !self.0.iter().any(|column| says_more(column)) {
            return Ok(None);
        }
        let own = ArrowSchemaConverter::new().convert(schema)?;
        let annotated = own.root_schema().get_fields().iter().map(|column| {
            match self.0.iter().find(|theirs| theirs.name() == column.name()) {
                Some(theirs) => annotated(column, theirs, is_kept(column.name())).map(Arc::new),
                None => Ok(Arc::clone(column)),
            }
        });
        let columns = annotated.collect::<Result<Vec<_>, _>>()?;
        let root = Type::group_type_builder(own.root_schema().name()).with_fields(columns).build()?;
        Ok(Some(SchemaDescriptor::new(Arc::new(root))))
    }
}

/// Whether two files say the same of a column, whether or not it may be null.
fn is_alike(one: &Type, other: &Type) -> bool {
    let told = |of: &Type| {
        let info = of.get_basic_info();
        let stored = of.is_primitive().then(|| (of.get_physical_type(), of.get_precision(), of.get_scale()));
        let id = info.has_id().then(|| info.id());
        (info.name().to_owned(), info.logical_type_ref().cloned(), info.converted_type(), id, stored)
    };
    let children = |of: &Type| if of.is_group() { of.get_fields().to_vec() } else { Vec::new() };
    let (own, others) = (children(one), children(other));
    told(one) == told(other) && own.len() == others.len() && own.iter().zip(&others).all(|(own, it)| is_alike(own, it))
}

/// Whether a column, or one in it, has an id or a type that Arrow does not know.
fn says_more(column: &Type) -> bool {
    let info = column.get_basic_info();
    let within = column.is_group() && column.get_fields().iter().any(|field| says_more(field));
    within || info.has_id() || column.is_primitive() && beyond_arrow(info).is_some()
}

/// The annotation of a column that Arrow has no type for.
fn beyond_arrow(info: &BasicTypeInfo) -> Option<(Option<LogicalType>, ConvertedType)> {
    match info.logical_type_ref().cloned() {
        Some(
            logical @ (LogicalType::Uuid
            | LogicalType::Json
            | LogicalType::Bson
            | LogicalType::Enum
            | LogicalType::Geometry(_)
            | LogicalType::Geography(_)),
        ) => Some((Some(logical), ConvertedType::NONE)),
        // Arrow's times of day are of no zone.
        Some(LogicalType::Time(time)) if time.is_adjusted_to_u_t_c => {
            Some((Some(LogicalType::Time(time)), ConvertedType::NONE))
        }
        Some(_) => None,
        None => match info.converted_type() {
            older @ (ConvertedType::JSON | ConvertedType::BSON | ConvertedType::ENUM | ConvertedType::INTERVAL) => {
                Some((None, older))
            }
            _ => None,
        },
    }
}

/// A column of the output with the annotations of the input's, so far as both are stored and nest in the same way.
fn annotated(own: &Type, theirs: &Type, is_kept: bool) -> Result<Type, ParquetError> {
    let (info, other) = (own.get_basic_info(), theirs.get_basic_info());
    let id = other.has_id().then(|| other.id());
    match (own, theirs) {
        (
            Type::PrimitiveType { physical_type, type_length, scale, precision, .. },
            Type::PrimitiveType { physical_type: stored, type_length: length, .. },
        ) => {
            let is_stored_alike = (physical_type, type_length) == (stored, length);
            let known = (info.logical_type_ref().cloned(), info.converted_type());
            let beyond = beyond_arrow(other).filter(|_| is_kept && is_stored_alike);
            let (logical, converted) = beyond.unwrap_or(known);
            Type::primitive_type_builder(own.name(), *physical_type)
                .with_repetition(info.repetition())
                .with_length(*type_length)
                .with_scale(*scale)
                .with_precision(*precision)
                .with_logical_type(logical)
                .with_converted_type(converted)
                .with_id(id)
                .build()
        }
        (Type::GroupType { fields, .. }, Type::GroupType { fields: others, .. }) if fields.len() == others.len() => {
            let within = fields.iter().zip(others);
            let within = within.map(|(own, theirs)| annotated(own, theirs, is_kept).map(Arc::new));
            Type::group_type_builder(own.name())
                .with_repetition(info.repetition())
                .with_logical_type(info.logical_type_ref().cloned())
                .with_converted_type(info.converted_type())
                .with_fields(within.collect::<Result<Vec<_>, _>>()?)
                .with_id(id)
                .build()
        }
        _ => Ok(own.clone()),
    }
}

#[cfg(test)]
mod tests {
    use arrow::datatypes::DataType;
    use parquet::arrow::parquet_to_arrow_schema;
    use parquet::schema::parser::parse_message_type;

    use super::*;

    const FILE: &str = "message schema {
        optional fixed_len_byte_array(16) id (UUID) = 5;
        optional binary meta (JSON) = 6;
        optional binary kind (ENUM);
        optional binary doc (BSON);
        optional int64 at (TIME(MICROS,true));
        optional fixed_len_byte_array(12) since (INTERVAL);
        optional binary text (STRING) = 9;
        optional group inside = 7 {
            optional binary kind (ENUM) = 8;
            optional int32 n;
        }
    }";

    fn annotated_again(files: &[&str], is_kept: impl Fn(&str) -> bool) -> SchemaDescriptor {
        let files: Vec<Type> = files.iter().map(|file| parse_message_type(file).unwrap()).collect();
        let first = SchemaDescriptor::new(Arc::new(files[0].clone()));
        let arrow = parquet_to_arrow_schema(&first, None).unwrap();
        let fields = arrow.fields().iter().map(|field| {
            // As outputs have them: without metadata, and intervals in all their bytes.
            let bare = field.as_ref().clone().with_metadata(Default::default());
            match field.data_type() {
                DataType::Interval(_) => bare.with_data_type(DataType::FixedSizeBinary(12)),
                _ => bare,
            }
        });
        let arrow = Schema::new(fields.collect::<Vec<_>>());
        let annotated = LogicalTypes::of_all(files.iter()).annotate(&arrow, is_kept).unwrap();
        annotated.unwrap_or_else(|| ArrowSchemaConverter::new().convert(&arrow).unwrap())
    }

    #[test]
    fn what_arrow_does_not_know_comes_out_as_it_went_in() {
        let file = parse_message_type(FILE).unwrap();
        let again = annotated_again(&[FILE, FILE], |_| true);
        for (column, before) in again.root_schema().get_fields().iter().zip(file.get_fields()) {
            assert!(is_alike(column, before), "{column:?} {before:?}");
        }
        // A value that is replaced may be no JSON.
        let replaced = annotated_again(&[FILE], |column| column != "meta");
        let meta = replaced.root_schema().get_fields()[1].get_basic_info();
        assert_eq!((meta.logical_type_ref().cloned(), meta.id()), (Some(LogicalType::String), 6));
    }

    #[test]
    fn of_what_files_differ_in_nothing_is_said() {
        let other = FILE.replace("id (UUID) = 5", "id (UUID) = 55").replace("kind (ENUM);", "kind;");
        let required = FILE.replace("optional binary meta", "required binary meta");
        let both = annotated_again(&[FILE, &other, &required], |_| true);
        let columns = both.root_schema().get_fields();
        assert!(
            !columns[0].get_basic_info().has_id() && columns[0].get_basic_info().logical_type_ref().cloned().is_none()
        );
        assert_eq!(columns[1].get_basic_info().logical_type_ref().cloned(), Some(LogicalType::Json));
        assert_eq!(columns[2].get_basic_info().logical_type_ref().cloned(), None);
        assert!(LogicalTypes::default().annotate(&Schema::empty(), |_| true).unwrap().is_none());
    }
}
