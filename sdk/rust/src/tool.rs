use serde_json::{json, Value};

use crate::events::{Decision, ToolConfirmationResponseCommand, ToolKind};
use crate::turn::Turn;
use crate::{Error, Result};

/// A call of a tool. `run` starts and ends it.
pub struct Tool {
    turn: Turn,
    view: Value,
    ended: bool,
}

/// What the user has decided.
#[derive(Clone, Debug, PartialEq)]
pub struct Decided {
    pub decision: Decision,
    /// The chosen one of `Tool::choices`.
    pub option_id: Option<String>,
}

impl Decided {
    /// Whether the tool may run.
    pub fn allowed(&self) -> bool {
        matches!(self.decision, Decision::AllowOnce | Decision::AllowAlways)
    }
}

impl Tool {
    pub(crate) fn new(turn: Turn, id: String, name: String, args: Value) -> Self {
        Tool { turn, view: json!({ "toolCallId": id, "toolName": name, "args": args }), ended: false }
    }

    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.view["title"] = json!(title.into());
        self
    }

    pub fn kind(mut self, kind: ToolKind) -> Self {
        self.view["kind"] = json!(kind);
        self
    }

    /// Asks whether the tool may run, and waits. If not, the call has ended.
    pub fn confirm(&mut self) -> Result<Decided> {
        let mut event = self.view.clone();
        event["type"] = json!("tool_confirmation_request");
        let r: ToolConfirmationResponseCommand = self.turn.request("tool_confirmation_response", "confirmationId", event)?;
        let decided = Decided { decision: r.decision, option_id: r.option_id };
        if !decided.allowed() {
            self.end(json!({ "ok": false, "cancelled": true }))?;
        }
        Ok(decided)
    }

    /// Runs the call. It ends well where `work` does, and else says why not.
    pub fn run<T>(&mut self, work: impl FnOnce(&Tool) -> Result<T>) -> Result<T> {
        if self.ended {
            return Err(Error::Failed("the call has ended: it was refused, or has run".into()));
        }
        let mut start = self.view.clone();
        start["type"] = json!("tool_start");
        self.turn.write(start, true)?;
        let result = work(self);
        self.end(match &result {
            Ok(_) if !self.turn.cancelled() => json!({ "ok": true }),
            Err(Error::Failed(message)) if !self.turn.cancelled() => json!({ "ok": false, "error": message }),
            _ => json!({ "ok": false, "cancelled": true }),
        })?;
        result
    }

    /// Prints a piece of the call's output.
    pub fn output(&self, text: impl AsRef<str>) -> Result {
        self.turn.write(json!({ "type": "tool_output", "toolCallId": self.view["toolCallId"], "text": text.as_ref() }), true)
    }

    fn end(&mut self, mut event: Value) -> Result {
        self.ended = true;
        event["type"] = json!("tool_end");
        event["toolCallId"] = self.view["toolCallId"].clone();
        event["toolName"] = self.view["toolName"].clone();
        self.turn.write(event, false)
    }
}
