use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use serde::de::DeserializeOwned;
use serde_json::{json, Value};

use crate::agent::Session;
use crate::events::{
    AgentEvent, AgentInfoEvent, EditorAction, EditorResponseCommand, PromptCommand, QuestionEvent, QuestionResponseCommand as Answer, SessionCommand,
};
use crate::wire::{lock, Wire};
use crate::{Error, Result, Tool};

/// What the thread that reads commands knows of a turn.
pub(crate) struct Shared {
    pub(crate) prompt: PromptCommand,
    cancelled: AtomicBool,
    over: AtomicBool,
}

impl Shared {
    pub(crate) fn new(prompt: PromptCommand) -> Self {
        Shared { prompt, cancelled: AtomicBool::new(false), over: AtomicBool::new(false) }
    }

    pub(crate) fn cancel(&self, wire: &Wire) {
        self.cancelled.store(true, Ordering::SeqCst);
        wire.withdraw();
    }
}

/// A turn: from a prompt until its handler returns. Clones are the same turn.
#[derive(Clone)]
pub struct Turn {
    pub(crate) shared: Arc<Shared>,
    pub(crate) wire: Arc<Wire>,
    pub(crate) session: Arc<Mutex<Session>>,
}

/// What to ask the user. `event` has all that a question can have.
pub struct Question {
    pub event: QuestionEvent,
}

impl Question {
    pub fn new(question: impl Into<String>) -> Self {
        Question { event: QuestionEvent { question: question.into(), ..Default::default() } }
    }

    pub fn options<T: Into<String>>(mut self, options: impl IntoIterator<Item = T>) -> Self {
        self.event.options = Some(options.into_iter().map(Into::into).collect());
        self
    }
}

impl Turn {
    pub fn prompt(&self) -> &PromptCommand {
        &self.shared.prompt
    }

    /// What the session is: the editor, the folders, the MCP servers.
    pub fn session(&self) -> Option<SessionCommand> {
        lock(&self.session).command.clone()
    }

    /// What the agent has said of itself, with the mode, model and options as they are set.
    pub fn info(&self) -> AgentInfoEvent {
        lock(&self.session).info.clone()
    }

    /// What `save` has kept, also in a process before this one; needs `resume`.
    pub fn state(&self) -> Option<Value> {
        lock(&self.session).state.clone()
    }

    /// Whether the user has stopped the turn. Long computations look at it.
    pub fn cancelled(&self) -> bool {
        self.shared.cancelled.load(Ordering::SeqCst)
    }

    /// Prints any event; docs/events.md lists them.
    pub fn emit(&self, event: impl Into<AgentEvent>) -> Result {
        let event = event.into();
        match &event {
            AgentEvent::AgentInfo(_) | AgentEvent::Done(_) => Err(Error::Failed("agent_info and done are for the agent to say".into())),
            AgentEvent::Error(e) if e.fatal != Some(false) => Err(Error::Failed(e.error.clone())),
            _ => self.write(serde_json::to_value(event)?, true),
        }
    }

    /// Prints a piece of the answer.
    pub fn text(&self, text: impl AsRef<str>) -> Result {
        self.write(json!({ "type": "text_delta", "text": text.as_ref() }), true)
    }

    /// Prints a piece of the agent's thoughts.
    pub fn thinking(&self, text: impl AsRef<str>) -> Result {
        self.write(json!({ "type": "thinking_delta", "thinking": text.as_ref() }), true)
    }

    /// Has Turnwire keep a value: `state`, also when the session goes on later.
    pub fn save(&self, state: Value) -> Result {
        lock(&self.session).state = Some(state.clone());
        self.write(json!({ "type": "state", "state": state }), true)
    }

    /// Asks the user, and waits.
    pub fn ask(&self, question: Question) -> Result<Answer> {
        self.request("question_response", "questionId", serde_json::to_value(AgentEvent::from(question.event))?)
    }

    /// Has the editor read or write a file, or run a command in a terminal, and waits.
    pub fn editor(&self, action: EditorAction, fields: Value) -> Result<EditorResponseCommand> {
        let mut event = fields;
        event["type"] = json!("editor_request");
        event["action"] = serde_json::to_value(action)?;
        self.request("editor_response", "requestId", event)
    }

    /// Returns a call of a tool, which `Tool::run` starts.
    pub fn tool(&self, name: impl Into<String>, args: Value) -> Tool {
        Tool::new(self.clone(), self.wire.new_id("call"), name.into(), args)
    }

    pub(crate) fn request<T: DeserializeOwned>(&self, kind: &str, key: &str, mut event: Value) -> Result<T> {
        let id = self.wire.new_id(key);
        event[key] = json!(id);
        let answer = self.wire.expect(kind, &id);
        self.write(event, true)?;
        if self.cancelled() {
            return Err(Error::Cancelled); // it may have come before anyone waited
        }
        let command = answer.recv().map_err(|_| Error::Cancelled)?;
        Ok(serde_json::from_value(command)?)
    }

    pub(crate) fn write(&self, mut event: Value, stops: bool) -> Result {
        event["turnId"] = json!(self.shared.prompt.turn_id);
        self.wire.write(&event, || match (self.shared.over.load(Ordering::SeqCst), stops && self.cancelled()) {
            (true, _) => Err(Error::Failed("the turn is over: nothing can be said in it any more".into())),
            (_, true) => Err(Error::Cancelled),
            _ => Ok(()),
        })
    }

    pub(crate) fn finish(&self, result: Result) {
        let mut event = match result {
            Ok(()) if !self.cancelled() => json!({ "type": "done", "text": "", "stopReason": "end_turn" }),
            Err(Error::Failed(message)) if !self.cancelled() => json!({ "type": "error", "error": message }),
            _ => json!({ "type": "done", "text": "", "stopReason": "cancelled" }),
        };
        event["turnId"] = json!(self.shared.prompt.turn_id);
        let _ = self.wire.write(&event, || {
            self.shared.over.store(true, Ordering::SeqCst);
            Ok(())
        });
    }
}
