// {{name}}: an agent that any editor can show.

import { appendFile } from "node:fs/promises";
import { Agent } from "./turnwire/index.js";

const agent = new Agent({ name: "{{name}}", version: "0.1.0" });

agent.onPrompt(async (turn) => {
  turn.text(`You said: ${turn.prompt}\n`);
  const answer = await turn.ask("What is that?", { options: ["idea", "task"] });
  const kind = answer.text || "note";
  const save = turn.tool("save", { args: { note: turn.prompt }, title: `Keep the ${kind}`, kind: "edit" });
  if ((await turn.confirm(save, { reason: "It is written to notes.txt" })).allowed) {
    await save.run(async () => {
      await appendFile("notes.txt", `${kind}: ${turn.prompt}\n`);
      return "It is in notes.txt.";
    });
  }
});

await agent.run();
