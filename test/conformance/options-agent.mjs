// An agent in the native dialect that offers all kinds of options when it is
// prompted. It refuses the value "silence", and ends each turn with the current
// values as text.

import { createInterface } from "node:readline";

const emit = (event) => process.stdout.write(JSON.stringify(event) + "\n");
const set = { leaf: "green-1", loud: false };

function offer() {
  const choices = (...ids) => ids.map((id) => ({ id, name: id }));
  emit({
    type: "config_options",
    options: [
      {
        id: "leaf", name: "Leaf", category: "model", kind: "select", value: set.leaf,
        groups: [
          { id: "green", name: "Green", choices: choices("green-1", "green-2") },
          { id: "black", name: "Black", choices: choices("black-1", "silence") },
        ],
      },
      { id: "loud", name: "Loud", category: "_noise", kind: "boolean", value: set.loud },
    ],
  });
}

for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line);
  if (command.type === "prompt") {
    offer();
    emit({ type: "done", text: JSON.stringify(set) });
  } else if (command.type === "set_option" && command.value === "silence") {
    emit({ type: "option_refused", optionId: command.optionId, error: "never" });
  } else if (command.type === "set_option") {
    set[command.optionId] = command.value;
    offer();
  }
}
