//! Write an agent that any editor can show: it prints events, Turnwire does the rest.
#![doc = include_str!("../README.md")]

mod agent;
pub mod events;
mod turn;
mod wire;

pub use agent::Agent;
pub use events::{QuestionResponseCommand as Answer, ToolConfirmationResponseCommand as Decided};
pub use turn::{Tool, Turn};

/// Why a handler stops before its end.
#[derive(Debug)]
pub enum Error {
    /// The user has stopped the turn. Let it pass with `?`.
    Cancelled,
    /// What went wrong, for the user.
    Failed(String),
}

pub type Result<T = ()> = std::result::Result<T, Error>;

/// Every error of a program is one that a handler may return with `?`.
impl<E: std::error::Error> From<E> for Error {
    fn from(error: E) -> Self {
        Error::Failed(error.to_string())
    }
}
