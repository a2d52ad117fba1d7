use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};

use serde_json::{json, Value};

use crate::events::{AgentEvent, AgentInfoEvent, OptionValue, SessionCommand};
use crate::turn::{Shared, Turn};
use crate::wire::{lock, Wire};
use crate::{Error, Result};

type OnOption = dyn FnMut(&str, &OptionValue) -> std::result::Result<(), String> + Send;

/// An agent. Say what it is, and run it with what answers a prompt.
pub struct Agent {
    /// What the agent says of itself: modes, models, commands, images and more.
    pub info: AgentInfoEvent,
    on_option: Box<OnOption>,
}

/// What all turns of a session know.
#[derive(Default)]
pub(crate) struct Session {
    pub(crate) command: Option<SessionCommand>,
    pub(crate) state: Option<Value>,
    pub(crate) info: AgentInfoEvent,
}

impl Agent {
    pub fn new(name: impl Into<String>) -> Self {
        let info = AgentInfoEvent { name: Some(name.into()), ..Default::default() };
        Agent { info, on_option: Box::new(|_, _| Ok(())) }
    }

    /// Says what is told of an option's new value. An error refuses it.
    pub fn on_option(mut self, f: impl FnMut(&str, &OptionValue) -> std::result::Result<(), String> + Send + 'static) -> Self {
        self.on_option = Box::new(f);
        self
    }

    /// Serves the session until stdin ends.
    pub fn run(mut self, mut handler: impl FnMut(&Turn) -> Result) {
        let wire = Arc::new(Wire::new().expect("stdout is open"));
        let session = Arc::new(Mutex::new(Session { info: self.info.clone(), ..Default::default() }));
        let _ = wire.write(&AgentEvent::from(self.info), || Ok(()));
        let (turns, prompts) = channel::<Arc<Shared>>();
        let reader = (Arc::clone(&wire), Arc::clone(&session));
        std::thread::spawn(move || {
            let (wire, session) = reader;
            let mut current: Option<Arc<Shared>> = None;
            wire.read(|command| match command["type"].as_str().unwrap_or_default() {
                "prompt" => {
                    if let Ok(prompt) = serde_json::from_value(command) {
                        let turn = Arc::new(Shared::new(prompt));
                        current = Some(Arc::clone(&turn));
                        let _ = turns.send(turn);
                    }
                }
                "cancel" => {
                    if let Some(turn) = current.as_ref().filter(|turn| command["turnId"] == *turn.prompt.turn_id) {
                        turn.cancel(&wire);
                    }
                }
                "session" => {
                    let mut session = lock(&session);
                    session.state = command.get("state").cloned();
                    session.command = serde_json::from_value(command).ok();
                }
                "set_option" => set(&wire, &session, &mut self.on_option, &command),
                _ => {}
            });
            if let Some(turn) = current {
                turn.cancel(&wire);
            }
        });
        for shared in prompts {
            let turn = Turn { shared, wire: Arc::clone(&wire), session: Arc::clone(&session) };
            let result = match turn.cancelled() {
                true => Err(Error::Cancelled),
                false => {
                    catch_unwind(AssertUnwindSafe(|| handler(&turn))).unwrap_or_else(|panic| Err(Error::Failed(format!("it panicked: {}", said(&*panic)))))
                }
            };
            wire.withdraw();
            turn.finish(result);
        }
    }
}

fn said(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it does not say why")
}

/// Sets an option that was offered, and says what it is set to, or why it is not.
fn set(wire: &Wire, session: &Mutex<Session>, on_option: &mut Box<OnOption>, command: &Value) {
    let id = command["optionId"].as_str().unwrap_or_default();
    let mut session = lock(session);
    let info = &mut session.info;
    let told = serde_json::from_value(command["value"].clone()).map_err(|e| e.to_string()).and_then(|value| {
        let known = info.options.iter().flatten().any(|o| o.id == id) || id == "mode" && info.modes.is_some() || id == "model" && info.models.is_some();
        if !known {
            return Err(format!("There is no option {id}."));
        }
        on_option(id, &value).map(|()| value)
    });
    let event = match (told, id, &mut info.modes, &mut info.models) {
        (Err(error), ..) => json!({ "type": "option_refused", "optionId": id, "error": error }),
        (Ok(value), ..) if info.options.iter().flatten().any(|o| o.id == id) => {
            for option in info.options.iter_mut().flatten().filter(|o| o.id == id) {
                option.value = value.clone();
            }
            json!({ "type": "config_options", "options": info.options })
        }
        (Ok(OptionValue::Choice(value)), "mode", Some(modes), _) => {
            modes.mode_id = value;
            json!({ "type": "mode_changed", "modeId": modes.mode_id, "available": modes.available })
        }
        (Ok(OptionValue::Choice(value)), _, _, Some(models)) => {
            models.model_id = value;
            json!({ "type": "model_changed", "modelId": models.model_id, "available": models.available })
        }
        _ => json!({ "type": "option_refused", "optionId": id, "error": "This option is a choice." }),
    };
    let _ = wire.write(&event, || Ok(()));
}
