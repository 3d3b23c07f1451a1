//! The exceptions of the module. Their messages are the sentences of the libraries.

use azulejo_notation::{DealerError, Problem, RecordError, SeedError, SeedMismatch};
use azulejo_rules::{
    DealError, IllegalMove, ParseDealError, ParseMoveError, ParsePositionError, RulesError,
};
use pyo3::PyErr;
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;

create_exception!(
    azulejo_game,
    AzulejoError,
    PyValueError,
    "The base of all errors of this package."
);
create_exception!(azulejo_game, ParseError, AzulejoError, "A text that is not what it should be.");
create_exception!(azulejo_game, IllegalMoveError, AzulejoError, "A move that the rules forbid.");
create_exception!(
    azulejo_game,
    IllegalDealError,
    AzulejoError,
    "A deal that the bag cannot supply."
);

/// An error of a library as a Python exception.
pub(crate) trait Raise {
    fn raise(self) -> PyErr;
}

macro_rules! raise {
    ($($error:ty => $exception:ident),+ $(,)?) => {$(
        impl Raise for $error {
            fn raise(self) -> PyErr {
                $exception::new_err(self.to_string())
            }
        }
    )+};
}

raise! {
    ParseMoveError => ParseError,
    ParseDealError => ParseError,
    ParsePositionError => ParseError,
    RulesError => ParseError,
    RecordError => ParseError,
    SeedError => ParseError,
    IllegalMove => IllegalMoveError,
    DealError => IllegalDealError,
    DealerError => IllegalDealError,
    SeedMismatch => AzulejoError,
    Problem => AzulejoError,
    azulejo_env::DecodeError => ParseError,
    azulejo_env::StepError => IllegalMoveError,
    azulejo_engine::ParseLevelError => ParseError,
    azulejo_review::ParseBudgetError => ParseError,
    azulejo_review::ReviewError => AzulejoError,
}
