//! Write an agent for any editor: it prints events, and Turnwire does the rest.
#![doc = include_str!("../README.md")]

mod agent;
pub mod events;
mod turn;
mod wire;

pub use agent::Agent;
pub use events::{QuestionResponseCommand as Answer, ToolConfirmationResponseCommand as Decided};
pub use turn::{Tool, Turn};

/// Why a handler stopped early.
#[derive(Debug)]
pub enum Error {
    /// The user cancelled the turn. Pass it on with `?`.
    Cancelled,
    /// An error message for the user.
    Failed(String),
}

pub type Result<T = ()> = std::result::Result<T, Error>;

/// Handlers can return any error with `?`.
impl<E: std::error::Error> From<E> for Error {
    fn from(error: E) -> Self {
        Error::Failed(error.to_string())
    }
}
