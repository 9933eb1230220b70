//! Why bytes are not annotations.

/// What is wrong with an annotation record, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("byte {offset} of the annotations: {kind}")]
pub struct AnnotationError {
    /// What is wrong.
    pub kind: AnnotationErrorKind,
    /// Where, from the start of the record.
    pub offset: usize,
}

/// What is wrong with an annotation record.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AnnotationErrorKind {
    /// The record does not lie within its file.
    #[error("a record of {wanted} bytes, but the file has {left} left")]
    RecordOutOfRange {
        /// How long the record says it is.
        wanted: usize,
        /// How many bytes there are.
        left: usize,
    },
    /// A type of which nobody knows how long its data is, in a family that does not say it.
    #[error("nobody knows how long an annotation of type {kind:02x} is")]
    UnknownAnnotation {
        /// The type.
        kind: u16,
    },
    /// An annotation does not end where it should, or is not laid out as those of its type.
    #[error("an annotation of type {kind:02x} that cannot be")]
    BadAnnotation {
        /// The type.
        kind: u16,
    },
    /// The record does not end with its mark.
    #[error("the record ends without its mark")]
    NoEnd,
    /// An annotation is shorter than its own head or longer than its record.
    #[error("an annotation of {size} bytes, but the record has {left} left")]
    BadAnnotationSize {
        /// How long the annotation says it is.
        size: usize,
        /// How many bytes of the record are left.
        left: usize,
    },
}
