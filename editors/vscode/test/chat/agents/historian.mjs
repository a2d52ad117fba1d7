// A program that prints native events, and whose conversation Turnwire holds. It says what
// it was told before. "/write NAME TEXT" writes a file through the editor.

import { createInterface } from "node:readline";
import { join } from "node:path";

const say = (event) => console.log(JSON.stringify(event));
let told = [];
let writes = 0;
say({ type: "agent_info", name: "historian", history: true });
createInterface({ input: process.stdin }).on("line", (line) => {
  const command = JSON.parse(line);
  if (command.type === "editor_response") return say({ type: "done" });
  if (command.type !== "prompt") return;
  if (command.history) told = command.history.filter(({ role }) => role === "user").map(({ text }) => text);
  say({ type: "text_delta", text: `Before: ${told.join(", ") || "nothing"}.` });
  told.push(command.text);
  const [, name, text] = /^\/write (\S+) (.*)/.exec(command.text) ?? [];
  if (name === undefined) return say({ type: "done" });
  say({ type: "editor_request", requestId: `w${++writes}`, action: "write_file", path: join(command.cwd, name), text: `${text}\n` });
});
