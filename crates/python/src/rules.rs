//! `Rules`: the rule set of a game.

use crate::errors::{AzulejoError, Raise};
use azulejo_rules::{Players, Preset, Rules, WallKind};
use pyo3::PyClass;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString, PyTuple};

/// A rule set.
#[pyclass(name = "Rules", module = "azulejo_game", frozen, eq, hash, from_py_object)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PyRules(pub(crate) Rules);

/// A rule set from an argument: `Rules`, or a text.
pub(crate) fn rules_of(value: &Bound<'_, PyAny>) -> PyResult<Rules> {
    if let Ok(rules) = value.cast::<PyRules>() {
        return Ok(rules.get().0);
    }
    let Ok(text) = value.cast::<PyString>() else {
        return Err(PyTypeError::new_err("rules are `Rules` or a text like \"2c\""));
    };
    text.to_str()?.parse().map_err(Raise::raise)
}

/// The text of a rule value: `True` is `on`, a list is joined by commas.
fn value_text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(if flag.is_true() { "on" } else { "off" }.to_owned());
    }
    if value.is_instance_of::<PyString>() {
        return value.extract();
    }
    if let Ok(numbers) = value.extract::<Vec<u64>>() {
        return Ok(numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(","));
    }
    Ok(value.str()?.to_string())
}

/// Sets keys; players and a preset come first, since others may depend on them.
fn with_keys(mut rules: Rules, keys: Option<&Bound<'_, PyDict>>) -> PyResult<Rules> {
    let Some(keys) = keys else { return Ok(rules) };
    if let Some(players) = keys.get_item("players")? {
        let players: Players = value_text(&players)?.parse().map_err(Raise::raise)?;
        rules = rules.with_players(players);
    }
    if let Some(preset) = keys.get_item("preset")?.filter(|preset| !preset.is_none()) {
        let preset: Preset = value_text(&preset)?.parse().map_err(Raise::raise)?;
        rules = rules.with_preset(preset).map_err(Raise::raise)?;
    }
    for (key, value) in keys.iter() {
        let key: String = key.extract()?;
        if key != "players" && key != "preset" {
            rules.set(&key, &value_text(&value)?).map_err(Raise::raise)?;
        }
    }
    Ok(rules)
}

#[pymethods]
impl PyRules {
    #[new]
    #[pyo3(signature = (text = "2c", /, **keys))]
    fn new(text: &str, keys: Option<&Bound<'_, PyDict>>) -> PyResult<PyRules> {
        with_keys(text.parse().map_err(Raise::raise)?, keys).map(PyRules)
    }

    /// The same rules with other values for some keys.
    #[pyo3(signature = (**keys))]
    fn replace(&self, keys: Option<&Bound<'_, PyDict>>) -> PyResult<PyRules> {
        with_keys(self.0, keys).map(PyRules)
    }

    /// The number of players.
    #[getter]
    fn players(&self) -> usize {
        self.0.players().count()
    }

    /// The number of factories.
    #[getter]
    fn n_factories(&self) -> usize {
        self.0.players().factories()
    }

    /// The side of the boards: `colored` or `grey`.
    #[getter]
    fn wall(&self) -> &'static str {
        match self.0.wall {
            WallKind::Colored => "colored",
            WallKind::Grey => "grey",
        }
    }

    /// Whether Joker tiles are in play.
    #[getter]
    fn jokers(&self) -> bool {
        self.0.jokers
    }

    /// The seat that starts; `None` is a random one.
    #[getter]
    fn first_player(&self) -> Option<usize> {
        self.0.first_player().map(azulejo_rules::Seat::index)
    }

    /// The name of the preset that these rules are, if they are one.
    #[getter]
    fn preset(&self) -> Option<&'static str> {
        self.0.preset().map(Preset::name)
    }

    /// Whether wall-tiling may leave a choice.
    #[getter]
    fn has_wall_choices(&self) -> bool {
        self.0.has_wall_choices()
    }

    /// All keys with their values as text.
    fn keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let keys = PyDict::new(py);
        for (key, value) in self.0.keys() {
            keys.set_item(key, value)?;
        }
        Ok(keys)
    }

    /// The names of all presets with a sentence for each.
    #[staticmethod]
    fn presets(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        let presets = PyDict::new(py);
        for preset in Preset::ALL {
            presets.set_item(preset.name(), preset.summary())?;
        }
        Ok(presets)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Rules('{}')", self.0)
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        reduce(slf, slf.get().0.to_string())
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }
}

/// Refuses a value that belongs to other rules.
pub(crate) fn same_rules(expected: &Rules, found: &Rules) -> PyResult<()> {
    if expected == found {
        return Ok(());
    }
    Err(AzulejoError::new_err(format!("the position has the rules {found}, not {expected}")))
}

/// The arguments that make a value again, for pickling.
pub(crate) fn reduce<'py, T: PyClass>(
    value: &Bound<'py, T>,
    text: String,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
    Ok((value.as_any().get_type().into_any(), PyTuple::new(value.py(), [text])?))
}
