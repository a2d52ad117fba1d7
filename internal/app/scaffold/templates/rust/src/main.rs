//! {{name}}: an agent that any editor can show.

use std::fs::OpenOptions;
use std::io::Write;

use serde_json::json;
use turnwire::events::ToolKind;
use turnwire::Agent;

fn main() {
    Agent::new("{{name}}").run(|turn| {
        let text = &turn.prompt().text;
        turn.text(format!("You said: {text}\n"))?;
        let answer = turn.ask("What is that?", &["idea", "task"])?;
        let kind = if answer.answer.is_empty() { "note" } else { &answer.answer };
        let mut save = turn.tool("save", json!({ "note": text })).title(format!("Keep the {kind}")).kind(ToolKind::Edit);
        if save.confirm()?.allowed() {
            save.run(|call| {
                let mut notes = OpenOptions::new().create(true).append(true).open("notes.txt")?;
                writeln!(notes, "{kind}: {text}")?;
                call.output("It is in notes.txt.\n")
            })?;
        }
        Ok(())
    });
}
