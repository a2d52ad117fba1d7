//! Does what each prompt says. The tests drive the same agent in all languages.

use serde_json::json;
use turnwire::events::{Choice, EditorAction, ModeState, TextDeltaEvent, ToolKind};
use turnwire::{Agent, Error};

fn main() {
    let choice = |id: &str| Choice { id: id.into(), name: id.to_uppercase(), description: None };
    let mut agent = Agent::new("Everything").on_option(|_, value| match value.as_str() {
        Some("never") => Err("Not that one".into()),
        _ => Ok(()),
    });
    agent.info.modes = Some(ModeState { mode_id: "calm".into(), available: Some(["calm", "loud", "never"].map(choice).into()) });
    agent.info.resume = Some(true);
    agent.info.tools = Some(true);
    agent.info.steer = Some(Default::default());
    agent.run(|turn| {
        println!("stray\ntext");
        match turn.prompt().text.as_str() {
            "say" => {
                turn.thinking("hm")?;
                turn.text("Grüße \u{2028} 😀\n")?;
                turn.emit(TextDeltaEvent { text: format!("in mode {}", turn.info().modes.unwrap_or_default().mode_id), ..Default::default() })?;
            }
            "ask" => {
                let answer = turn.ask("Which?", &["idea", "task"])?;
                turn.text(if answer.cancelled == Some(true) { "nothing".into() } else { format!("It is: {}", answer.answer) })?;
            }
            "confirm" => {
                let mut tool = turn.tool("save", json!({ "note": "n" })).title("Save a note").kind(ToolKind::Execute);
                if tool.confirm()?.allowed() {
                    tool.run(|tool| tool.output("saved\n"))?;
                }
                turn.text("after")?;
            }
            "broken tool" => {
                let mut tool = turn.tool("save", json!({}));
                let _ = tool.run(|_| Err::<(), _>(Error::Failed("the disk is full".into())));
            }
            "fail" => return Err(Error::Failed("it is broken".into())),
            "panic" => panic!("it is broken"),
            "wait" => {
                turn.text("waiting")?;
                turn.tool("sleep", json!({})).run(|_| loop {
                    std::thread::sleep(std::time::Duration::from_millis(5));
                    turn.thinking("")?;
                })?;
            }
            "count" => {
                let n = turn.state().and_then(|s| s.as_i64()).unwrap_or(0) + 1;
                turn.save(json!(n))?;
                turn.text(n.to_string())?;
            }
            "write" => {
                let r = turn.editor(EditorAction::WriteFile, json!({ "path": "a.txt", "text": "new" }))?;
                turn.text(if r.ok { "written".into() } else { r.error.unwrap_or_default() })?;
            }
            "use" => {
                let read = turn.call_tool("read_file", json!({ "path": "a.txt" }), 3)?;
                turn.text(format!("{} tools: {}", turn.tools().len(), read.text))?;
                turn.text(turn.call_tool("write_file", json!({ "path": "b.txt", "content": "b" }), 0)?.ok.to_string())?;
            }
            "steer" => {
                turn.text("waiting")?;
                let messages = loop {
                    let messages = turn.messages()?;
                    if !messages.is_empty() {
                        break messages;
                    }
                    std::thread::sleep(std::time::Duration::from_millis(5));
                };
                turn.text(&messages[0].text)?;
            }
            "late" => {
                let turn = turn.clone();
                std::thread::spawn(move || loop {
                    if let Err(Error::Failed(why)) = turn.thinking("") {
                        eprintln!("late: {why}");
                        return;
                    }
                });
            }
            _ => turn.text("What?")?,
        }
        Ok(())
    });
}
