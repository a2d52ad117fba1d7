// Drives an agent behind Turnwire, and prints what was seen as lines of JSON: {"column", "seen",
// "note"}. The Go program copies this file next to the SDK, and passes what to do as JSON.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { Connection, Failed, log, task } from "./client.mjs";

const { words, says } = task;
const cancelAfter = 20_000; // if the agent shows no text until a turn ends

let current; // the connection that steps share
let greeted; // a session with a turn

// step runs a step, and reports what it returns or why it failed.
async function step(column, run) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Failed(`no answer within ${task.seconds} s`)), (task.seconds + task.pause) * 1000);
  });
  let seen, note;
  log.write(`\n# ${column}\n`);
  try {
    [seen, note] = await Promise.race([run(), late]);
  } catch (err) {
    [seen, note] = ["failed", describe(err)];
    await current?.close();
    current = undefined;
  }
  clearTimeout(timer);
  if (column === "initialize" && seen === "failed") {
    console.log(JSON.stringify({ column: "", note }));
    process.exit(0);
  }
  console.log(JSON.stringify({ column, seen, note }));
}

function describe(err) {
  const details = err.data?.details ?? err.data?.message ?? (typeof err.data === "string" ? err.data : "");
  return [err.message ?? String(err), details].filter(Boolean).join(": ");
}

async function connection() {
  current ??= await (await Connection.open()).start();
  return current;
}

function expect(turn, text, stopReason = "end_turn") {
  if (turn.stopReason !== stopReason) throw new Failed(`the turn ended with ${turn.stopReason}, and the agent said: ${turn.text}`);
  if (!turn.text.includes(text)) throw new Failed(`the agent said: ${turn.text}`);
}

const run = (file) => words.run.replace("%s", file);
const created = (file) => existsSync(join(task.folder, file));

await step("initialize", async () => {
  await Connection.introduce();
  await connection();
  return ["yes"];
});

await step("turn", async () => {
  const c = await connection();
  expect(await c.prompt(words.hello), says.greeting);
  greeted = c.id;
  return ["yes"];
});

await step("allow", async () => {
  const c = await connection();
  c.answer = "allow";
  const turn = await c.prompt(run("allowed.txt"));
  if (c.asked.length === 0 && created("allowed.txt")) return ["no", "the agent ran a command without asking"];
  if (c.asked.length === 0) throw new Failed(`the agent didn't ask, and said: ${turn.text}`);
  if (!created("allowed.txt")) throw new Failed(`the command didn't run, and the agent said: ${turn.text}`);
  return ["yes"];
});

await step("refuse", async () => {
  const c = await connection();
  c.answer = "reject";
  const turn = await c.prompt(run("refused.txt"));
  if (c.asked.length === 0 && created("refused.txt")) return ["no", "the agent ran a command without asking"];
  if (c.asked.length === 0) throw new Failed(`the agent didn't ask, and said: ${turn.text}`);
  if (created("refused.txt")) throw new Failed("the refused command ran");
  return ["yes"];
});

await step("cancel", async () => {
  const c = await connection();
  const cancel = () => c.agent.notify("session/cancel", { sessionId: c.id });
  const timer = setTimeout(cancel, cancelAfter);
  c.onUpdate = (update) => {
    if (update.sessionUpdate !== "agent_message_chunk") return;
    c.onUpdate = () => {};
    clearTimeout(timer);
    cancel();
  };
  const turn = await c.prompt(words.wait);
  clearTimeout(timer);
  c.onUpdate = () => {};
  if (turn.stopReason !== "cancelled") throw new Failed(`the turn ended with ${turn.stopReason}`);
  expect(await c.prompt(words.hello), says.greeting);
  greeted ??= c.id;
  return ["yes"];
});

await step("images", async () => {
  const c = await connection();
  if (!c.initialized.agentCapabilities?.promptCapabilities?.image) return ["no"];
  expect(await c.prompt(words.image, { type: "image", mimeType: "image/png", data: task.image }), says.seen);
  return ["yes"];
});

await step("modes", async () => {
  const c = await connection();
  const { modes } = c.session;
  if (modes?.availableModes?.length) {
    const other = modes.availableModes.find((m) => m.id !== modes.currentModeId) ?? modes.availableModes[0];
    await c.call("session/set_mode", { sessionId: c.id, modeId: other.id });
    return ["yes"];
  }
  return choose(c, "mode");
});

await step("models", async () => {
  const c = await connection();
  const { models } = c.session; // an older form, which agents still use
  if (models?.availableModels?.length && !c.options) {
    const other = models.availableModels.find((m) => m.modelId !== models.currentModelId) ?? models.availableModels[0];
    await c.call("session/set_model", { sessionId: c.id, modelId: other.modelId });
    return ["yes"];
  }
  return choose(c, "model");
});

// choose sets an option to another value, or to the same if it is the only one.
async function choose(c, category) {
  const option = c.options?.find((o) => o.category === category);
  const values = option?.options?.flatMap((o) => o.options ?? [o]) ?? [];
  if (values.length === 0) return ["no"];
  const other = values.find((v) => v.value !== option.currentValue) ?? values[0];
  const { configOptions } = await c.call("session/set_config_option", { sessionId: c.id, configId: option.id, value: other.value });
  const now = configOptions.find((o) => o.id === option.id)?.currentValue;
  if (now !== other.value) throw new Failed(`set to ${other.value}, but the agent reports ${now}`);
  return ["yes"];
}

// reopen continues the session with a turn in a new process.
async function reopen(method, offered) {
  await current?.close();
  current = undefined;
  await new Promise((resolve) => setTimeout(resolve, task.pause * 1000));
  current = await Connection.open();
  if (!offered(current.initialized.agentCapabilities ?? {})) return ["no"];
  if (!greeted) return ["not run", "no turn worked"];
  current.id = greeted;
  current.session = await current.call(method, { sessionId: greeted, cwd: task.folder, mcpServers: [] });
  const { updates } = current;
  const turn = await current.prompt(words.recall);
  expect(turn, says.known);
  if (method === "session/resume") return ["yes"];
  // Some agents replay after the response.
  const replayed = (kind, text) => updates.concat(current.updates).some((u) => u.sessionUpdate === kind && u.content.text?.includes(text));
  const missing = [!replayed("user_message_chunk", words.hello) && "the prompts", !replayed("agent_message_chunk", says.greeting) && "the agent's messages"];
  if (missing.every(Boolean)) throw new Failed("the conversation isn't replayed");
  return ["yes", missing.some(Boolean) ? `${missing.find(Boolean)} are not replayed` : undefined];
}

await step("load", () => reopen("session/load", (c) => c.loadSession));
await step("resume", () => reopen("session/resume", (c) => c.sessionCapabilities?.resume));

await current?.close();
log.end();
process.exit(0);
