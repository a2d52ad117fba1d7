//! Write an agent that any editor can show: it prints events, Turnwire does the rest.
#![doc = include_str!("../README.md")]

mod agent;
mod error;
pub mod events;
mod tool;
mod turn;
mod wire;

pub use agent::Agent;
pub use error::{Error, Result};
pub use events::QuestionResponseCommand as Answer;
pub use tool::{Decided, Tool};
pub use turn::{Question, Turn};
