// An agent in the native dialect. A prompt is a JSON array of the events to answer
// with. After "ask" events the agent waits for the answer, and after a
// {"type":"wait"} for a cancel. {"type":"chosen"} prints the values of its options.

import { createInterface } from "node:readline";

const emit = (event) => process.stdout.write(JSON.stringify(event) + "\n");
const choices = (...ids) => ids.map((id) => ({ id, name: id }));
const options = [
  { id: "model", name: "Model", category: "model", kind: "select", value: "small", choices: choices("small", "large") },
  { id: "mode", name: "Mode", category: "mode", kind: "select", value: "ask", choices: choices("ask", "code") },
];
const asks = new Set(["tool_confirmation_request", "question", "wait"]);
let rest = [];

function go() {
  while (rest.length > 0) {
    const event = rest.shift();
    if (event.type === "chosen") emit({ type: "text_delta", text: options.map((o) => o.value).join(" ") });
    else if (event.type !== "wait") emit(event);
    if (asks.has(event.type)) return;
  }
}

emit({ type: "agent_info", name: "Peer", options });
for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line);
  switch (command.type) {
    case "prompt":
      rest = JSON.parse(command.text);
      go();
      break;
    case "tool_confirmation_response":
    case "question_response":
      go();
      break;
    case "cancel":
      rest = [];
      emit({ type: "done", stopReason: "cancelled" });
      break;
    case "set_option":
      options.find((o) => o.id === command.optionId).value = command.value;
      emit({ type: "config_options", options });
  }
}
