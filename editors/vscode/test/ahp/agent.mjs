// A stand-in for an agent, in JSON lines, that does what its prompt says, line by
// line:
//   say TEXT       says it, word by word
//   think TEXT     thinks it
//   until FILE     waits until the file exists, and says its content
//   listen         waits for a message during the turn, and repeats it
//   run COMMAND    a call with output, which continues when the file "go-on" exists
//   change FILE    asks for permission to change that file, and changes it
//   deploy COMMAND asks for permission to run it, and says why
//   ask WHAT       asks for permission for WHAT, with its own options
//   question       asks three questions at once
//   recall         says the user's messages that it knows
//   fail           ends the turn with an error
// With the argument "history", it reads the conversation from its first prompt.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";

const emit = (type, members = {}) => process.stdout.write(`${JSON.stringify({ type, ...members })}\n`);
const waiting = new Map();
/** Messages during the turn that were not read. */
let steers = [];
/** The user's messages of the conversation. */
let known = [];
let turn;
let next = 0;

const answer = (id) => new Promise((resolve) => waiting.set(id, resolve));
const there = async (file, now) => {
  while (!existsSync(file) && !now.cancelled) await new Promise((tick) => setTimeout(tick, 20));
};

const does = {
  async say(text) {
    for (const word of text.split(/(?<=\s)/)) emit("text_delta", { text: word });
    emit("text_delta", { text: "\n\n" });
  },
  async think(text) {
    for (const word of text.split(/(?<=\s)/)) emit("thinking_delta", { thinking: word });
  },
  async until(file, now) {
    // A file exists before its text is written.
    const path = join(now.cwd, file);
    const text = () => (existsSync(path) ? readFileSync(path, "utf8") : "");
    while (text() === "" && !now.cancelled) await new Promise((tick) => setTimeout(tick, 20));
    if (!now.cancelled) await does.say(text());
  },
  async listen(_, now) {
    while (steers.length === 0 && !now.cancelled) await new Promise((tick) => setTimeout(tick, 20));
    if (now.cancelled) return;
    const { steerId, text } = steers.shift();
    emit("steered", { steerId });
    await does.say(`You said “${text}”.`);
  },
  async run(command, now) {
    const toolCallId = `call-${++next}`;
    emit("tool_start", { toolCallId, toolName: "bash", args: { command } });
    emit("tool_output", { toolCallId, text: "The first line.\n" });
    await there(join(now.cwd, "go-on"), now);
    emit("tool_output", { toolCallId, text: "The second line.\n" });
    emit("tool_end", { toolCallId, ok: !now.cancelled, exitCode: 0 });
  },
  async change(name, now) {
    const toolCallId = `call-${++next}`;
    const path = join(now.cwd, name);
    const newText = `${readFileSync(path, "utf8")}three\n`;
    emit("tool_confirmation_request", { toolCallId, toolName: "edit_file", title: `Change ${name}`, kind: "edit", args: { path }, diffs: [{ path, oldText: readFileSync(path, "utf8"), newText }] });
    const { decision } = await answer(toolCallId);
    const ok = decision.startsWith("allow");
    if (ok) writeFileSync(path, newText);
    emit("tool_end", { toolCallId, ok, cancelled: !ok });
    if (!now.cancelled) await does.say(`The answer was ${decision}.`);
  },
  async deploy(command, now) {
    const toolCallId = `call-${++next}`;
    const args = { command };
    emit("tool_confirmation_request", { toolCallId, toolName: "bash", args, reason: "This deploys to *production*." });
    const { decision } = await answer(toolCallId);
    const ok = decision.startsWith("allow");
    if (ok) {
      emit("tool_start", { toolCallId, toolName: "bash", args });
      emit("tool_output", { toolCallId, text: "Deployed version 7.\n" });
    }
    emit("tool_end", { toolCallId, ok, cancelled: !ok, ...(ok ? { exitCode: 0 } : {}) });
    if (!now.cancelled) await does.say(`The answer was ${decision}.`);
  },
  async ask(what, now) {
    const toolCallId = `call-${++next}`;
    emit("tool_confirmation_request", {
      toolCallId, toolName: "order", title: what, args: { what },
      options: [
        { id: "now", name: "Yes, now", kind: "allow_once" },
        { id: "daily", name: "Yes, and daily", kind: "allow_always" },
        { id: "no", name: "Rather not", kind: "reject_once" },
      ],
    });
    const { decision, optionId } = await answer(toolCallId);
    const ok = decision.startsWith("allow");
    emit("tool_end", { toolCallId, ok, cancelled: !ok });
    writeFileSync(join(now.cwd, "asked"), `${decision} ${optionId ?? ""}\n`, { flag: "a" });
    if (!now.cancelled) await does.say(`The answer was ${decision} ${optionId}.`);
  },
  async question(_, now) {
    const questionId = `question-${++next}`;
    emit("question", {
      questionId, question: "How do you like your tea?",
      fields: [
        { name: "who", title: "Name", description: "Who drinks it?", required: true },
        { name: "leaf", title: "Leaf", description: "What is in the pot?", required: true, options: [{ value: "assam", title: "Assam" }, { value: "ceylon", title: "Ceylon" }] },
        { name: "cups", title: "Cups", type: "integer", minimum: 1, default: 2 },
      ],
    });
    const { values, cancelled } = await answer(questionId);
    if (!now.cancelled) await does.say(cancelled ? "No tea." : `Tea: ${JSON.stringify(values)}.`);
  },
  async recall() {
    await does.say(`I know ${known.length}: ${known.map((text) => `“${text}”`).join(", ")}.`);
  },
};

async function prompt(command) {
  const now = (turn = { cancelled: false, cwd: command.cwd });
  steers = [];
  known = [...known, ...(command.history ?? []).filter(({ role }) => role === "user").map(({ text }) => text)];
  for (const line of command.text.split("\n")) {
    const [word, ...rest] = line.trim().split(" ");
    if (word === "fail") return emit("error", { error: "It has failed.", fatal: true });
    if (!now.cancelled) await does[word]?.(rest.join(" "), now);
  }
  known.push(command.text);
  emit("done", { text: "", stopReason: now.cancelled ? "cancelled" : "end_turn" });
}

emit("agent_info", {
  name: basename(process.execPath), // as the server names it before it runs
  version: "1",
  models: { modelId: "small", available: [{ id: "small", name: "Small One" }, { id: "large", name: "Large One" }] },
  modes: { modeId: "careful", available: [{ id: "careful", name: "Careful" }, { id: "bold", name: "Bold" }] },
  options: [{ id: "fast", name: "Fast", kind: "boolean", value: false }],
  steer: {},
  history: process.argv.includes("history"),
  commands: [{ name: "dance", description: "Dances" }],
});
createInterface({ input: process.stdin }).on("line", (line) => {
  const command = JSON.parse(line);
  if (command.type === "prompt") void prompt(command);
  else if (command.type === "steer") steers.push(command);
  else if (command.type === "set_option") {
    if (command.optionId === "fast") emit("config_options", { options: [{ id: "fast", name: "Fast", kind: "boolean", value: command.value }] });
    else if (command.optionId === "mode") emit("mode_changed", { modeId: command.value });
    else emit("model_changed", { modelId: command.value });
  } else if (command.type === "cancel") {
    if (turn) turn.cancelled = true;
    for (const resolve of waiting.values()) resolve({ decision: "cancelled", cancelled: true });
    waiting.clear();
  } else {
    const id = command.toolCallId ?? command.questionId;
    waiting.get(id)?.(command);
    waiting.delete(id);
  }
});
