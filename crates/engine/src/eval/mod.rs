//! What a position is worth: the learned evaluation and the hand-written one behind one door.
//!
//! Within a round most of a position stays the same, and boards that differ are met again and
//! again in other combinations. So the part of the sum that a board contributes is remembered by
//! board, that of the factories is worked out for every set of them once at the root, and
//! a leaf costs a few additions.

mod classic;
pub mod features;
mod memo;
pub mod network;
mod node;
mod value;

pub(crate) use memo::Evaluator;
pub(crate) use node::Node;
pub(crate) use value::{INFINITE, Value};
