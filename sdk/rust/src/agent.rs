use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::{mpsc, Arc};

use serde_json::{json, Value};

use crate::events::{AgentEvent, AgentInfoEvent, SteerCommand};
use crate::wire::Wire;
use crate::{Error, Result, Turn};

type OnOption = dyn FnMut(&str, &Value) -> std::result::Result<(), String> + Send;

/// An agent. Fill in its `info`, and run it with a handler that answers prompts.
pub struct Agent {
    /// What the agent declares: modes, models, commands, images and more.
    pub info: AgentInfoEvent,
    on_option: Box<OnOption>,
}

impl Agent {
    pub fn new(name: impl Into<String>) -> Self {
        Agent { info: AgentInfoEvent { name: Some(name.into()), ..Default::default() }, on_option: Box::new(|_, _| Ok(())) }
    }

    /// Sets the function that is called with an option's new value. An error refuses the value.
    pub fn on_option(mut self, f: impl FnMut(&str, &Value) -> std::result::Result<(), String> + Send + 'static) -> Self {
        self.on_option = Box::new(f);
        self
    }

    /// Serves the session until EOF on stdin.
    pub fn run(mut self, mut handler: impl FnMut(&Turn) -> Result) {
        let info = serde_json::to_value(AgentEvent::from(self.info)).expect("what the agent says of itself is JSON");
        let wire = Arc::new(Wire::new(info.clone()).expect("stdout is open"));
        let _ = wire.write(&info, || Ok(()));
        let (turns, prompts) = mpsc::channel::<Turn>();
        std::thread::spawn(move || {
            let mut current: Option<Turn> = None;
            wire.read(|command| match command["type"].as_str().unwrap_or_default() {
                "prompt" => {
                    if let Ok(prompt) = serde_json::from_value(command) {
                        let turn = current.insert(Turn::new(prompt, &wire));
                        let _ = turns.send(turn.clone());
                    }
                }
                "steer" => wire.steers.lock().unwrap().extend(serde_json::from_value::<SteerCommand>(command)),
                "cancel" => current.iter().filter(|turn| command["turnId"] == *turn.prompt().turn_id).for_each(Turn::cancel),
                "session" => {
                    *wire.session.lock().unwrap() = command;
                    wire.opened.notify_all();
                }
                "set_option" => {
                    let set = set(&mut wire.info.lock().unwrap(), &mut self.on_option, &command);
                    let refused = |error| json!({ "type": "option_refused", "optionId": command["optionId"], "error": error });
                    let _ = wire.write(&set.unwrap_or_else(refused), || Ok(()));
                }
                _ => {}
            });
            current.iter().for_each(Turn::cancel);
        });
        for turn in prompts {
            let result = match turn.cancelled() {
                true => Err(Error::Cancelled),
                false => {
                    catch_unwind(AssertUnwindSafe(|| handler(&turn))).unwrap_or_else(|panic| Err(Error::Failed(format!("it panicked: {}", said(&*panic)))))
                }
            };
            turn.finish(result);
        }
    }
}

fn said(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it does not say why")
}

/// Sets an offered option, and returns the event with its new value.
fn set(info: &mut Value, on_option: &mut Box<OnOption>, command: &Value) -> std::result::Result<Value, String> {
    let (id, value) = (command["optionId"].as_str().unwrap_or_default(), &command["value"]);
    let (list, key) = if id == "mode" { ("modes", "modeId") } else { ("models", "modelId") };
    if let Some(option) = info["options"].as_array_mut().and_then(|all| all.iter_mut().find(|o| o["id"] == id)) {
        on_option(id, value)?;
        option["value"] = value.clone();
        return Ok(json!({ "type": "config_options", "options": info["options"] }));
    }
    if !info[list].is_object() || !value.is_string() || format!("{id}s") != list {
        return Err(format!("There is no option {id}, or none with such values."));
    }
    on_option(id, value)?;
    info[list][key] = value.clone();
    Ok(json!({ "type": format!("{id}_changed"), key: value, "available": info[list]["available"] }))
}
