use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::{json, Value};

use crate::events::{
    AgentEvent, AgentInfoEvent, Decision, EditorAction, EditorResponseCommand, OfferedTool, PromptCommand, QuestionEvent, SessionCommand, SteerCommand,
    ToolKind, ToolResponseCommand,
};
use crate::wire::Wire;
use crate::{Answer, Decided, Error, Result};

/// A turn: lasts from a prompt until its handler returns. Clones are the same turn.
#[derive(Clone)]
pub struct Turn {
    prompt: Arc<PromptCommand>,
    cancelled: Arc<AtomicBool>,
    over: Arc<AtomicBool>,
    wire: Arc<Wire>,
}

impl Turn {
    pub(crate) fn new(prompt: PromptCommand, wire: &Arc<Wire>) -> Self {
        Turn { prompt: Arc::new(prompt), cancelled: Arc::default(), over: Arc::default(), wire: Arc::clone(wire) }
    }

    pub fn prompt(&self) -> &PromptCommand {
        &self.prompt
    }

    /// The session: the editor, the folders, the MCP servers, Turnwire's tools. Waits until Turnwire has sent it; `None` at EOF.
    pub fn session(&self) -> Option<SessionCommand> {
        let session = self.wire.opened.wait_while(self.wire.session.lock().unwrap(), |s| s.get("type").is_none()).unwrap();
        serde_json::from_value(session.clone()).ok()
    }

    /// What the agent declared, with the current mode, model and options.
    pub fn info(&self) -> AgentInfoEvent {
        serde_json::from_value(self.wire.info.lock().unwrap().clone()).unwrap_or_default()
    }

    /// The value stored by `save`, even by an earlier process; needs `resume`.
    pub fn state(&self) -> Option<Value> {
        self.wire.session.lock().unwrap().get("state").cloned()
    }

    /// Whether the user cancelled the turn. Long computations should check it.
    pub fn cancelled(&self) -> bool {
        self.cancelled.load(Ordering::SeqCst)
    }

    /// Returns the user's new messages during the turn, for the model's next request; needs `steer`.
    pub fn messages(&self) -> Result<Vec<SteerCommand>> {
        let mut messages = std::mem::take(&mut *self.wire.steers.lock().unwrap());
        messages.retain(|m| m.turn_id == self.prompt.turn_id);
        for m in &messages {
            self.write("steered", json!({ "steerId": m.steer_id }))?;
        }
        Ok(messages)
    }

    /// Prints any event; docs/events.md lists them.
    pub fn emit(&self, event: impl Into<AgentEvent>) -> Result {
        match event.into() {
            AgentEvent::AgentInfo(_) | AgentEvent::Done(_) => Err(Error::Failed("agent_info and done are for the agent to say".into())),
            AgentEvent::Error(e) if e.fatal != Some(false) => Err(Error::Failed(e.error)),
            event => self.print(serde_json::to_value(event)?, false, false),
        }
    }

    /// Prints a piece of the answer.
    pub fn text(&self, text: impl AsRef<str>) -> Result {
        self.write("text_delta", json!({ "text": text.as_ref() }))
    }

    /// Prints a piece of the agent's thoughts.
    pub fn thinking(&self, text: impl AsRef<str>) -> Result {
        self.write("thinking_delta", json!({ "thinking": text.as_ref() }))
    }

    /// Stores a value. It becomes `state`, and is restored when the session continues later.
    pub fn save(&self, state: Value) -> Result {
        self.wire.session.lock().unwrap()["state"] = state.clone();
        self.write("state", json!({ "state": state }))
    }

    /// Asks the user, and waits. Without options, the answer is free text.
    pub fn ask(&self, question: &str, options: &[&str]) -> Result<Answer> {
        let options = (!options.is_empty()).then(|| options.iter().map(|&o| o.into()).collect());
        self.question(QuestionEvent { question: question.into(), options, ..Default::default() })
    }

    /// Asks the user, with every feature of a question, and waits.
    pub fn question(&self, question: QuestionEvent) -> Result<Answer> {
        self.request("question", "questionId", serde_json::to_value(question)?)
    }

    /// Makes the editor read or write a file, or run a command in a terminal, and waits.
    pub fn editor(&self, action: EditorAction, mut fields: Value) -> Result<EditorResponseCommand> {
        fields["action"] = json!(action);
        self.request("editor_request", "requestId", fields)
    }

    /// The session's tools, if the agent's `info` asked for them.
    pub fn tools(&self) -> Vec<OfferedTool> {
        self.session().and_then(|s| s.tools).unwrap_or_default()
    }

    /// Runs one of Turnwire's tools. The result has at most `limit` characters; 0 is the default limit.
    pub fn call_tool(&self, name: &str, args: Value, limit: u32) -> Result<ToolResponseCommand> {
        let mut event = json!({ "toolName": name, "args": args });
        if limit > 0 {
            event["limit"] = json!(limit);
        }
        self.request("tool_request", "toolCallId", event)
    }

    /// Returns a tool call, which `Tool::run` starts.
    pub fn tool(&self, name: impl Into<String>, args: Value) -> Tool {
        let view = json!({ "toolCallId": self.wire.new_id("call"), "toolName": name.into(), "args": args });
        Tool { turn: self.clone(), view, ended: false }
    }

    fn request<T: DeserializeOwned>(&self, kind: &str, key: &str, mut event: Value) -> Result<T> {
        let (id, answer) = self.wire.expect(key);
        event[key] = json!(id);
        self.write(kind, event)?;
        if self.cancelled() {
            return Err(Error::Cancelled); // the cancel may have come before the request was registered
        }
        Ok(serde_json::from_value(answer.recv().map_err(|_| Error::Cancelled)?)?)
    }

    fn write(&self, kind: &str, mut event: Value) -> Result {
        event["type"] = json!(kind);
        self.print(event, false, false)
    }

    /// Writes an event. Fails if the turn has ended, or if it is cancelled, unless `always` is set.
    fn print(&self, mut event: Value, always: bool, last: bool) -> Result {
        event["turnId"] = json!(self.prompt.turn_id);
        self.wire.write(&event, || match (self.over.fetch_or(last, Ordering::SeqCst), self.cancelled() && !always) {
            (true, _) => Err(Error::Failed("the turn is over: nothing can be said in it any more".into())),
            (_, true) => Err(Error::Cancelled),
            _ => Ok(()),
        })
    }

    pub(crate) fn cancel(&self) {
        self.cancelled.store(true, Ordering::SeqCst);
        self.wire.withdraw();
    }

    pub(crate) fn finish(&self, result: Result) {
        self.wire.withdraw();
        let event = match result {
            Ok(()) if !self.cancelled() => json!({ "type": "done", "text": "", "stopReason": "end_turn" }),
            Err(Error::Failed(message)) if !self.cancelled() => json!({ "type": "error", "error": message }),
            _ => json!({ "type": "done", "text": "", "stopReason": "cancelled" }),
        };
        let _ = self.print(event, true, true);
    }
}

/// A tool call. `run` starts and ends it.
pub struct Tool {
    turn: Turn,
    view: Value,
    ended: bool,
}

impl Decided {
    /// Whether the tool may run.
    pub fn allowed(&self) -> bool {
        matches!(self.decision, Decision::AllowOnce | Decision::AllowAlways)
    }
}

impl Tool {
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
        let decided: Decided = self.turn.request("tool_confirmation_request", "confirmationId", self.view.clone())?;
        if !decided.allowed() {
            self.end(json!({ "ok": false, "cancelled": true }))?;
        }
        Ok(decided)
    }

    /// Runs the call. It succeeds if `work` does, and fails with the error of `work` otherwise.
    pub fn run<T>(&mut self, work: impl FnOnce(&Tool) -> Result<T>) -> Result<T> {
        if self.ended {
            return Err(Error::Failed("the call has ended: it was refused, or has run".into()));
        }
        self.turn.write("tool_start", self.view.clone())?;
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
        self.turn.write("tool_output", json!({ "toolCallId": self.view["toolCallId"], "text": text.as_ref() }))
    }

    fn end(&mut self, mut event: Value) -> Result {
        self.ended = true;
        event["type"] = json!("tool_end");
        event["toolCallId"] = self.view["toolCallId"].clone();
        event["toolName"] = self.view["toolName"].clone();
        self.turn.print(event, true, false)
    }
}
