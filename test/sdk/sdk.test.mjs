// The same agent, written with each library, between the built binary and the
// official client. Its output is checked against the closed schema.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import Ajv2020 from "../conformance/node_modules/ajv/dist/2020.js";

import { contentText, Editor } from "../conformance/editor.mjs";

const path = (name) => fileURLToPath(new URL(`../../sdk/${name}`, import.meta.url));
process.env.PYTHONPATH = path("python/src");
const python = process.env.PYTHON ?? "python3";
const agents = {
  "Python, sync": [python, path("python/tests/everything_sync.py")],
  "Python, async": [python, path("python/tests/everything_async.py")],
  TypeScript: [process.execPath, path("typescript/test/everything.mjs")],
  Rust: [path("rust/target/debug/examples/everything")],
};

const schema = JSON.parse(readFileSync(new URL("../../schema/agent-event-strict.schema.json", import.meta.url), "utf8"));
const valid = new Ajv2020({ strict: true }).compile(schema);
const limit = { timeout: 60_000 };
const allow = ({ params }) => ({ outcome: { outcome: "selected", optionId: params.options.find((o) => o.kind === "allow_once").optionId } });
const refuse = ({ params }) => ({ outcome: { outcome: "selected", optionId: params.options.find((o) => o.kind === "reject_once").optionId } });
const all = { fs: { readTextFile: true, writeTextFile: true }, elicitation: { form: {} } };

// mode resolves with the mode option, which a slow start reports late.
async function mode(editor) {
  const find = (options) => options?.find((o) => o.category === "mode");
  const known = find(editor.session.configOptions);
  if (known) return known;
  const { message } = await editor.transcript.when((e) => find(e.message.params?.update?.configOptions));
  return find(message.params.update.configOptions);
}

for (const [language, command] of Object.entries(agents)) {
  const scenario = (name, run, capabilities = all) => test(`${language}: ${name}`, limit, () => Editor.use({ capabilities, args: ["acp", "--", ...command] }, run));

  scenario("text, thoughts and the mode that was chosen", async (editor) => {
    assert.equal((await mode(editor)).currentValue, "calm");
    await editor.request("session/set_mode", { sessionId: editor.sessionId, modeId: "loud" });
    const turn = await editor.prompt("say");
    assert.equal(turn.text(), "Grüße \u2028 😀\nin mode loud");
    assert.equal(turn.text("agent_thought_chunk"), "hm");
    assert.equal(turn.stopReason, "end_turn");
  });

  scenario("a mode that the agent refuses stays as it was", async (editor) => {
    await mode(editor);
    await assert.rejects(editor.request("session/set_mode", { sessionId: editor.sessionId, modeId: "never" }), /Not that one/);
    assert.match((await editor.prompt("say")).text(), /in mode calm/);
  });

  scenario("a question, answered and not", async (editor) => {
    editor.onElicitation = ({ params }) => ({ action: "accept", content: { [Object.keys(params.requestedSchema.properties)[0]]: "task" } });
    assert.equal((await editor.prompt("ask")).text(), "It is: task");
    editor.onElicitation = () => ({ action: "cancel" });
    assert.equal((await editor.prompt("ask")).text(), "nothing");
  });

  scenario("a tool that is allowed runs, and one that is refused does not", async (editor) => {
    editor.onPermission = allow;
    const allowed = await editor.prompt("confirm");
    const [ran] = allowed.tools();
    assert.deepEqual([ran.status, ran.title, ran.kind], ["completed", "Save a note", "execute"]);
    assert.match(contentText(ran), /saved/);
    editor.onPermission = refuse;
    const refused = await editor.prompt("confirm");
    assert.equal(refused.tools()[0].status, "failed");
    assert.doesNotMatch(contentText(refused.tools()[0]), /saved/);
    assert.equal(refused.text(), "after");
  });

  scenario("a tool that fails says why, and the turn goes on", async (editor) => {
    const turn = await editor.prompt("broken tool");
    const [call] = turn.tools();
    assert.equal(call.status, "failed");
    assert.match(contentText(call), /the disk is full/);
    assert.equal(turn.stopReason, "end_turn");
  });

  scenario("what a handler throws is an error of the prompt, and the next prompt is answered", async (editor) => {
    for (const how of ["fail", "panic"]) await assert.rejects(editor.prompt(how), /it is broken/);
    assert.match((await editor.prompt("say")).text(), /in mode calm/);
  });

  scenario("a cancel while a tool runs ends both", async (editor) => {
    const turn = editor.prompt("wait");
    await editor.seen((u) => u.sessionUpdate === "tool_call");
    await editor.cancel();
    const { stopReason } = await turn;
    assert.equal(stopReason, "cancelled");
    assert.match((await editor.prompt("say")).text(), /in mode calm/);
  });

  scenario("a cancel while the user is asked allows nothing", async (editor) => {
    editor.onPermission = async () => {
      await editor.cancel();
      return { outcome: { outcome: "cancelled" } };
    };
    const turn = await editor.prompt("confirm");
    assert.equal(turn.stopReason, "cancelled");
    assert.equal(turn.tools()[0].status, "failed");
    assert.equal(turn.text(), "");
  });

  scenario("the editor writes a file", async (editor) => {
    assert.equal((await editor.prompt("write")).text(), "written");
    assert.equal(await editor.read("a.txt"), "new");
  });

  scenario("Turnwire's tools", async (editor) => {
    editor.onPermission = allow;
    writeFileSync(editor.path("a.txt"), "abcdef");
    assert.match((await editor.prompt("use")).text(), /^8 tools: abc\n\[3 of 6 characters are left out here\.\]\n[Tt]rue$/);
    assert.equal(await editor.read("b.txt"), "b");
  });

  scenario("a message during a turn", async (editor) => {
    const turn = editor.prompt("steer");
    await editor.transcript.when((e) => e.message.params?.update?.content?.text === "waiting");
    const steered = await editor.request("_session/steering", { sessionId: editor.sessionId, prompt: [{ type: "text", text: "Stop" }] });
    assert.deepEqual(steered, { outcome: "injected" });
    assert.equal((await turn).text(), "waitingStop");
  });

  scenario("what is said after the end is not printed", async (editor) => {
    const late = await editor.prompt("late");
    assert.equal(late.stopReason, "end_turn");
    assert.match((await editor.prompt("say")).text(), /in mode calm/);
  });

  test(`${language}: saved state is available in the next process`, limit, async () => {
    let id;
    await Editor.use({ args: ["acp", "--", ...command] }, async (editor) => {
      id = editor.sessionId;
      for (const n of ["1", "2"]) assert.equal((await editor.prompt("count")).text(), n);
    });
    await Editor.use({ args: ["acp", "--", ...command], load: id }, async (editor) => {
      assert.equal((await editor.prompt("count")).text(), "3");
    });
  });

  test(`${language}: each line that it prints is an event of the closed schema, and each turn ends once`, limit, async () => {
    const child = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "pipe"] });
    const exit = new Promise((resolve) => child.on("close", (code) => resolve(code)));
    child.stderr.resume();
    const events = [];
    let rest = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop();
      for (const line of lines) {
        const event = JSON.parse(line);
        assert.ok(valid(event), `${line}: ${JSON.stringify(valid.errors)}`);
        events.push(event);
        answer(event);
      }
    });
    const send = (command) => child.stdin.write(JSON.stringify({ sessionId: "s", ...command }) + "\n");
    const prompts = ["say", "confirm", "ask", "broken tool", "fail", "late", "write", "use", "say"];
    const next = () => {
      const text = prompts.shift();
      if (text === undefined) return child.stdin.end();
      send({ type: "prompt", turnId: `t-${prompts.length}`, cwd: "/", text, prompt: [{ type: "text", text }] });
    };
    const answer = ({ type, turnId, ...event }) => {
      if (type === "question") send({ type: "question_response", turnId, questionId: event.questionId, answer: "idea" });
      if (type === "tool_confirmation_request") send({ type: "tool_confirmation_response", turnId, toolCallId: event.toolCallId, confirmationId: event.confirmationId, decision: "allow_once" });
      if (type === "editor_request") send({ type: "editor_response", turnId, requestId: event.requestId, ok: true });
      if (type === "tool_request") send({ type: "tool_response", turnId, toolCallId: event.toolCallId, ok: true, text: "read" });
      if (type === "done" || type === "error") next();
    };
    child.stdin.write("not a command\n");
    send({ type: "session", cwd: "/", roots: [], mcpServers: [], editor: {} });
    send({ type: "set_option", optionId: "nothing", value: true });
    send({ type: "one that came later", more: true });
    // A cancel right after its prompt isn't lost.
    send({ type: "prompt", turnId: "early", cwd: "/", text: "wait", prompt: [] });
    send({ type: "cancel", turnId: "early" });
    assert.equal(await exit, 0);
    assert.equal(events[0].type, "agent_info");
    assert.ok(events.some((e) => e.type === "option_refused" && e.optionId === "nothing"));
    const turns = new Set(events.map((e) => e.turnId).filter(Boolean));
    assert.equal(turns.size, 10);
    for (const turn of turns) {
      const kinds = events.filter((e) => e.turnId === turn).map((e) => e.type);
      const ends = kinds.filter((kind) => kind === "done" || kind === "error");
      assert.deepEqual(ends, kinds.slice(-1), `${turn}: ${kinds}`);
    }
    assert.equal(events.find((e) => e.turnId === "early" && e.type === "done").stopReason, "cancelled");
  });

  test(`${language}: EOF on stdin ends a turn and the agent`, limit, async () => {
    const child = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "ignore"] });
    const exit = new Promise((resolve) => child.on("close", (code) => resolve(code)));
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      if (!out.includes("tool_start") && (out + text).includes("tool_start")) child.stdin.end();
      out += text;
    });
    child.stdin.write(JSON.stringify({ type: "prompt", sessionId: "s", turnId: "t", cwd: "/", text: "wait", prompt: [] }) + "\n");
    assert.equal(await exit, 0);
    const last = JSON.parse(out.trimEnd().split("\n").pop());
    assert.deepEqual([last.type, last.stopReason], ["done", "cancelled"]);
  });
}
