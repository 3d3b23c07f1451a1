//! What the fuzz targets share beside the laws of positions: the laws of records, and games made
//! of bytes.

#![forbid(unsafe_code)]

mod bytes;
mod records;
mod start;

pub use bytes::Bytes;
pub use records::{check_error, check_record};
pub use start::start;
