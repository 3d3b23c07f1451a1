//! Positions outside of a game, for the analysis board.

use crate::{Thrown, bad_request, json, seed};
use azulejo_table::view::{SetupForm, SetupView};
use azulejo_table::{StudyStep, StudyView, Variations, draw_deal};
use wasm_bindgen::prelude::wasm_bindgen;

/// A position with its legal moves: `{position, moves, blocked}`.
///
/// # Errors
/// What is wrong with the text.
#[wasm_bindgen]
pub fn study(position: &str) -> Result<String, Thrown> {
    StudyView::read(position).map(|view| json(&view)).map_err(bad_request)
}

/// Plays a move, or lays out a deal: `{action, report, position, moves, blocked}`.
///
/// # Errors
/// Why that is not possible.
#[wasm_bindgen]
pub fn study_act(position: &str, action: &str) -> Result<String, Thrown> {
    StudyStep::act(position, action).map(|step| json(&step)).map_err(bad_request)
}

/// Draws the next deal of a position, with 16 random bytes.
///
/// # Errors
/// If the position does not wait for one.
#[wasm_bindgen]
pub fn study_draw(position: &str, random: &[u8]) -> Result<String, Thrown> {
    draw_deal(position, &seed(random)?).map_err(bad_request)
}

/// Reads an arrangement of tiles, legal or not: `{form, text, faults}`.
///
/// # Errors
/// If it cannot be read.
#[wasm_bindgen]
pub fn setup(text: &str) -> Result<String, Thrown> {
    SetupView::read(text).map(|view| json(&view)).map_err(bad_request)
}

/// A new game with these rules, before its first deal, as the same.
///
/// # Errors
/// If the rules cannot be read.
#[wasm_bindgen]
pub fn setup_new(rules: &str) -> Result<String, Thrown> {
    SetupView::of_rules(rules).map(|view| json(&view)).map_err(bad_request)
}

/// Checks the `form` of an arrangement that was edited, and returns the same as `setup`.
///
/// # Errors
/// If it is not a form.
#[wasm_bindgen]
pub fn setup_check(form: &str) -> Result<String, Thrown> {
    let form: SetupForm = serde_json::from_str(form).map_err(|e| bad_request(e.to_string()))?;
    SetupView::check(&form).map(|view| json(&view)).map_err(bad_request)
}

/// Writes a tree of variations, `{start, names, nodes: [{parent, action, comment}]}`, as a record.
///
/// # Errors
/// If an action of its main line is not possible.
#[wasm_bindgen]
pub fn variations_record(tree: &str) -> Result<String, Thrown> {
    let tree: Variations = serde_json::from_str(tree).map_err(|e| bad_request(e.to_string()))?;
    tree.record().map(|record| record.to_string()).map_err(bad_request)
}
