// The turn in the pictures of the README: it waits for permission to change a file.

import { createInterface } from "node:readline";

const emit = (type, members) => console.log(JSON.stringify({ type, ...members }));
const plan = (...states) =>
  emit("plan", {
    entries: ["Read the greeting", "Make it polite", "Run it"].map((content, i) => ({ content, status: states[i], priority: "medium" })),
  });

for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line);
  if (command.type !== "prompt") continue;
  plan("in_progress", "pending", "pending");
  emit("text_delta", { text: "I'll look at the greeting first.\n" });
  emit("tool_start", { toolCallId: "1", toolName: "read_file", args: { path: "greet.py" } });
  emit("tool_end", { toolCallId: "1", ok: true, result: "4 lines" });
  plan("completed", "in_progress", "pending");
  emit("text_delta", { text: "It is a bit **blunt**. This makes it polite:\n" });
  emit("tool_confirmation_request", {
    toolCallId: "2",
    toolName: "edit_file",
    args: { path: "greet.py", old_text: '    print("hey " + name)', new_text: '    print(f"Good morning, {name}!")' },
  });
}
