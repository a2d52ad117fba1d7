// Runs three turns with an agent, and prints what a user sees as lines of JSON. What differs
// between two runs of the same agent is left out or replaced: ids, paths, times, and what agents
// announce when they are ready.

import { Connection, task } from "./client.mjs";

const { words } = task;
const entries = [];
const ids = new Map();

// A late update is the agent's business: it may come in one turn or the next.
const announced = new Set([
  "available_commands_update", "config_option_update", "current_mode_update", "session_info_update", "usage_update",
]);

function normal(value, key = "") {
  if (Array.isArray(value)) return value.map((v) => normal(v));
  if (value && typeof value === "object") {
    const known = Object.entries(value).filter(([name, v]) => v != null && name !== "_meta");
    return Object.fromEntries(known.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, v]) => [name, normal(v, name)]));
  }
  if (typeof value === "number" && /time|duration|elapsed|pid|_at$|At$|ms$/i.test(key)) return 0;
  if (typeof value !== "string") return value;
  if (/^(toolCall|message|session|terminal)Id$/.test(key)) return value && (ids.has(value) ? ids : ids.set(value, `id${ids.size}`)).get(value);
  let text = value.replaceAll(task.folder, "FOLDER").replaceAll(task.home, "HOME");
  for (const [id, name] of ids) if (id.length > 7) text = text.replaceAll(id, name);
  return text.replace(/\bP(G?)ID: \d+/g, "P$1ID: 0").replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.\d]*Z?/g, "TIME").replace(/\b\d+(\.\d+)? ?m?s\b/g, "0s");
}

// transcript returns the updates of a turn: text in one piece, each tool call once, where it
// began, as it ended.
function transcript(updates) {
  const shown = [];
  const calls = new Map();
  for (const { sessionUpdate: kind, ...update } of updates) {
    const last = shown.at(-1);
    if (announced.has(kind)) continue;
    if (kind === "tool_call" || kind === "tool_call_update") {
      const call = calls.get(update.toolCallId) ?? { kind: "tool_call" };
      if (!calls.has(update.toolCallId)) shown.push(call);
      calls.set(update.toolCallId, Object.assign(call, { call: { ...call.call, ...withoutNull(update) } }));
    } else if (update.content?.type === "text" && last?.kind === kind) {
      last.text += update.content.text;
    } else if (update.content?.type === "text") {
      shown.push({ kind, text: update.content.text });
    } else {
      shown.push({ kind, ...update });
    }
  }
  return shown.filter((s) => s.text !== "");
}

function withoutNull(update) {
  return Object.fromEntries(Object.entries(update).filter(([, v]) => v != null));
}

async function turn(c, answer, text) {
  c.answer = answer;
  const { stopReason } = await c.prompt(text);
  await new Promise((resolve) => setTimeout(resolve, 500)); // some agents send updates after the answer
  entries.push({ prompt: text }, ...transcript(c.updates), ...c.asked.map((asked) => ({ asked })), { stopReason });
}

const run = (file) => words.run.replace("%s", file);
const late = setTimeout(() => {
  console.error(`no answer within ${task.seconds} s`);
  process.exit(1);
}, task.seconds * 1000);

try {
  await Connection.introduce();
  const c = await (await Connection.open()).start();
  c.permission = function ({ options, toolCall }) {
    const reply = Connection.prototype.permission.call(this, { options, toolCall });
    this.asked.splice(-1, 1, { toolCall, options, reply });
    return reply;
  };
  await turn(c, "allow", words.hello);
  await turn(c, "allow", run("allowed.txt"));
  await turn(c, "reject", run("refused.txt"));
  await c.close();
} catch (err) {
  console.error(err.data ? `${err.message}: ${JSON.stringify(err.data)}` : (err.message ?? String(err)));
  process.exitCode = 1;
}
clearTimeout(late);
for (const entry of entries) console.log(JSON.stringify(normal(entry)));
