//! The extension module of the Python package `azulejo_game`: its values, the engine, encodings and the
//! vectorized environment. Everything here converts and delegates; the logic is in the other crates.
//!
//! Seats are numbers from 0 in Python, so that they are indices. Tiles are texts of letters.

mod convert;
mod encoding;
mod engine;
mod errors;
mod moves;
mod position;
mod record;
mod review;
mod rules;
mod vector;
mod watch;

#[pyo3::pymodule(name = "_core")]
mod core {
    #[pymodule_export]
    use super::encoding::{PyEncoding, rewards};
    #[pymodule_export]
    use super::engine::{PyEngine, PyForecast, PyInfo};
    #[pymodule_export]
    use super::errors::{AzulejoError, IllegalDealError, IllegalMoveError, ParseError};
    #[pymodule_export]
    use super::moves::{PyDeal, PyDealer, PyMove};
    #[pymodule_export]
    use super::position::{PyBoard, PyOutcome, PyPosition};
    #[pymodule_export]
    use super::record::PyRecord;
    #[pymodule_export]
    use super::rules::PyRules;
    #[pymodule_export]
    use super::vector::PyVectorEnv;
    use pyo3::exceptions::PyImportError;
    use pyo3::prelude::*;
    use std::sync::OnceLock;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // Objects that are shared, such as those of all moves, belong to one interpreter. Each has a
        // module `sys` of its own.
        static INTERPRETER: OnceLock<usize> = OnceLock::new();
        let interpreter = module.py().import("sys")?.as_ptr() as usize;
        if *INTERPRETER.get_or_init(|| interpreter) != interpreter {
            let message = "azulejo_game works in one interpreter of a process: no subinterpreters";
            return Err(PyImportError::new_err(message));
        }
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("ENCODING_VERSION", azulejo_env::ENCODING_VERSION)?;
        module.add("LEVELS", super::engine::level_names())
    }
}
