//! Write an agent that any editor can show: it prints events, Turnwire does the rest.
//!
//! ```no_run
//! use serde_json::json;
//! use turnwire::{Agent, Question};
//!
//! Agent::new("Notes").run(|turn| {
//!     turn.text("Hello!\n")?;
//!     let kind = turn.ask(Question::new("What is that?").options(["idea", "task"]))?;
//!     let mut tool = turn.tool("save", json!({ "note": kind.answer }));
//!     if tool.confirm()?.allowed() {
//!         tool.run(|tool| tool.output("saved\n"))?;
//!     }
//!     Ok(())
//! });
//! ```

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
