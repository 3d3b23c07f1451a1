//! Conversions that several classes need: seats, tiles, seeds, JSON, NumPy arrays.

use crate::errors::{AzulejoError, Raise};
use azulejo_notation::Seed;
use azulejo_rules::{Rules, Seat, Tiles};
use numpy::{
    Element, PyArrayDescrMethods, PyReadwriteArrayDyn, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyString};
use serde::Serialize;

/// A seat of the game by its index from 0.
pub(crate) fn seat(rules: &Rules, index: usize) -> PyResult<Seat> {
    let seats = rules.players().seats();
    let no_seat =
        || PyIndexError::new_err(format!("there is no seat {index} among {}", seats.len()));
    seats.get(index).copied().ok_or_else(no_seat)
}

/// Tiles as letters; none are an empty text.
pub(crate) fn letters(tiles: Tiles) -> String {
    tiles.each().map(azulejo_rules::Tile::letter).collect()
}

/// A seed from a text or a number.
pub(crate) fn seed(value: &Bound<'_, PyAny>) -> PyResult<Seed> {
    if value.is_instance_of::<PyBool>()
        || !(value.is_instance_of::<PyInt>() || value.is_instance_of::<PyString>())
    {
        return Err(PyTypeError::new_err("a seed is a text or a whole number"));
    }
    value.str()?.to_string().parse::<Seed>().map_err(Raise::raise)
}

/// What a type of the JSON interface looks like in Python: dictionaries, lists, texts, numbers.
pub(crate) fn to_python<'py>(
    py: Python<'py>,
    value: &impl Serialize,
) -> PyResult<Bound<'py, PyAny>> {
    let json =
        serde_json::to_string(value).map_err(|error| AzulejoError::new_err(error.to_string()))?;
    py.import("json")?.call_method1("loads", (json,))
}

/// A NumPy array of the caller, to be written in place: its element type, shape and layout must be
/// right, since nothing is copied.
pub(crate) fn writable<'py, T: Element>(
    array: &Bound<'py, PyAny>,
    name: &str,
    shape: &[usize],
) -> PyResult<PyReadwriteArrayDyn<'py, T>> {
    let py = array.py();
    let wanted = || {
        let shape: Vec<String> = shape.iter().map(ToString::to_string).collect();
        let comma = if shape.len() == 1 { "," } else { "" };
        format!("{} array of shape ({}{comma})", T::get_dtype(py), shape.join(", "))
    };
    let Ok(untyped) = array.cast::<PyUntypedArray>() else {
        return Err(PyTypeError::new_err(format!("`{name}` must be a NumPy {}", wanted())));
    };
    if !untyped.dtype().is_equiv_to(&T::get_dtype(py)) {
        let found = untyped.dtype();
        return Err(PyTypeError::new_err(format!(
            "`{name}` must be a {}, not of {found}",
            wanted()
        )));
    }
    if untyped.shape() != shape {
        let found = untyped.shape();
        return Err(PyValueError::new_err(format!(
            "`{name}` must be a {}, not {found:?}",
            wanted()
        )));
    }
    if !untyped.is_c_contiguous() {
        return Err(PyValueError::new_err(format!(
            "`{name}` must be C-contiguous: it is written in place"
        )));
    }
    let typed = array.cast::<numpy::PyArrayDyn<T>>()?;
    numpy::PyArrayMethods::try_readwrite(typed)
        .map_err(|error| PyValueError::new_err(format!("`{name}` cannot be written: {error}")))
}

/// The numbers of an array that [`writable`] has accepted.
pub(crate) fn slice<'a, T: Element>(
    array: &'a mut PyReadwriteArrayDyn<'_, T>,
    name: &str,
) -> PyResult<&'a mut [T]> {
    array.as_slice_mut().map_err(|error| PyValueError::new_err(format!("`{name}`: {error}")))
}
