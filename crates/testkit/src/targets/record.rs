//! Any bytes as a record, and as many records. What can be read reprints identically and is the
//! same after a round trip through JSON; a salvaged record obeys the same laws.

use super::records::{check_error, check_record};
use azulejo_notation::{Record, Records};

pub(super) fn check_bytes(data: &[u8]) {
    let parsed = Record::parse(data);
    let (salvaged, error) = Record::salvage(data);
    match &parsed {
        Ok(record) => assert_eq!((salvaged.as_ref(), &error), (Some(record), &None)),
        Err(fault) => {
            assert_eq!(error.as_ref(), Some(fault));
            check_error(fault, data);
        }
    }
    if let Some(record) = &salvaged {
        check_record(record);
    }
    check_pieces(data, parsed.as_ref().ok());
}

/// Finds the records of a text. A text that is one record is one piece.
fn check_pieces(data: &[u8], whole: Option<&Record>) {
    let mut n_pieces = 0;
    let mut last_line = 0;
    for piece in Records::new(data.split(|&byte| byte == b'\n')) {
        n_pieces += 1;
        assert!(piece.line > last_line, "line {} comes twice", piece.line);
        last_line = piece.line;
        let parsed = piece.parse();
        let (salvaged, error) = piece.salvage();
        assert_eq!(parsed.as_ref().err(), error.as_ref());
        if let Some(error) = &error {
            check_error(error, data);
        }
        match whole {
            Some(record) => assert_eq!(parsed.as_ref(), Ok(record)),
            None => salvaged.iter().for_each(check_record),
        }
    }
    assert!(whole.is_none() || n_pieces == 1, "{n_pieces} pieces");
}
