// Turns of the workspace agent, as each kind of editor sees them. Each ends
// with a check of the laws and the official schema; see Editor.close.

import assert from "node:assert/strict";
import { access } from "node:fs/promises";
import { test } from "node:test";

import { Editor, contentText } from "./editor.mjs";
import { editors } from "./editors.mjs";

const files = { "a.txt": "alpha\nbeta\n" };

// scenario runs a test with each kind of editor.
function scenario(name, run) {
  for (const [kind, capabilities] of Object.entries(editors)) {
    test(`${name}, in ${kind}`, { timeout: 60_000 }, () => Editor.use({ capabilities, files }, run));
  }
}

const choose = (optionId) => () => ({ outcome: { outcome: "selected", optionId } });

function onlyTool(turn) {
  const tools = turn.tools();
  assert.equal(tools.length, 1, "one tool call");
  return tools[0];
}

scenario("text is a message", async (editor) => {
  const turn = await editor.prompt('/say Grüße, "world" 🌍');
  assert.equal(turn.stopReason, "end_turn");
  assert.match(turn.text(), /Grüße, "world" 🌍[^]*All done/);
});

scenario("a thought is apart from the answer", async (editor) => {
  const turn = await editor.prompt("/think This is hard");
  assert.match(turn.text("agent_thought_chunk"), /This is hard/);
  assert.doesNotMatch(turn.text(), /This is hard/);
});

scenario("a plan has its entries", async (editor) => {
  const turn = await editor.prompt("/plan first; second; third");
  const plans = editor.capabilities.plan ? turn.all("plan_update").map((u) => u.plan) : turn.all("plan");
  assert.ok(plans.length > 0);
  for (const plan of plans) assert.deepEqual(plan.entries.map((e) => e.content), ["first", "second", "third"]);
});

scenario("a prompt without a command is answered about the workspace", async (editor) => {
  const turn = await editor.prompt("What is here?");
  assert.equal(turn.stopReason, "end_turn");
  assert.match(turn.text(), /\/help/);
});

scenario("a read shows the file and where it is", async (editor) => {
  const turn = await editor.prompt("/read a.txt");
  const tool = onlyTool(turn);
  assert.equal(tool.kind, "read");
  assert.equal(tool.status, "completed");
  assert.equal(tool.locations[0].path, editor.path("a.txt"));
  assert.match(contentText(tool), /alpha\nbeta/);
});

scenario("a read sees what the editor has not saved, where it can", async (editor) => {
  editor.buffers.set(editor.path("a.txt"), "not saved\n");
  const turn = await editor.prompt("/read a.txt");
  const offered = editor.capabilities.fs?.readTextFile === true;
  assert.match(contentText(onlyTool(turn)), offered ? /not saved/ : /alpha/);
  assert.equal(turn.requests("fs/read_text_file").length > 0, offered);
});

scenario("an edit that is allowed changes the file", async (editor) => {
  let asked;
  editor.onPermission = async ({ params }) => {
    asked = params;
    assert.equal(await editor.read("a.txt"), "alpha\nbeta\n", "nothing is written before the answer");
    return choose("allow_once")();
  };
  const turn = await editor.prompt("/edit a.txt alpha => ALPHA");
  const diff = { type: "diff", path: editor.path("a.txt"), oldText: "alpha\nbeta\n", newText: "ALPHA\nbeta\n" };
  assert.equal(await editor.read("a.txt"), diff.newText);
  assert.deepEqual(asked.toolCall.content[0], diff);
  const tool = onlyTool(turn);
  assert.equal(tool.kind, "edit");
  assert.equal(tool.status, "completed");
  assert.deepEqual(tool.content[0], diff);
  assert.equal(turn.requests("fs/write_text_file").length > 0, editor.capabilities.fs?.writeTextFile === true);
});

scenario("a new file has no old text", async (editor) => {
  editor.onPermission = choose("allow_once");
  const turn = await editor.prompt("/write new.txt hello");
  const [diff] = onlyTool(turn).content;
  assert.equal(diff.type, "diff");
  assert.equal(diff.oldText ?? null, null);
  assert.equal(await editor.read("new.txt"), diff.newText);
});

const refusals = {
  "refused": choose("reject_once"),
  "cancelled by the person": () => ({ outcome: { outcome: "cancelled" } }),
  "answered with an option that was never offered": choose("yes_please"),
  "answered with an error": () => {
    throw new Error("the editor is broken");
  },
};
for (const [how, answer] of Object.entries(refusals)) {
  scenario(`an edit that is ${how} changes nothing`, async (editor) => {
    editor.onPermission = answer;
    const turn = await editor.prompt("/edit a.txt alpha => ALPHA\n/say still here");
    assert.equal(turn.stopReason, "end_turn");
    assert.equal(onlyTool(turn).status, "failed");
    assert.equal(await editor.read("a.txt"), "alpha\nbeta\n");
    assert.match(turn.text(), /still here/, "the turn goes on");
  });
}

scenario("what is always allowed is asked once, for that target alone", async (editor) => {
  const asked = [];
  editor.onPermission = ({ params }) => {
    asked.push(params.toolCall.rawInput);
    return choose("allow_always")();
  };
  await editor.prompt("/append a.txt one\n/append a.txt two\n/append b.txt three");
  assert.equal(asked.length, 2);
  assert.equal(await editor.read("a.txt"), "alpha\nbeta\none\ntwo\n");
});

scenario("a cancel withdraws an open request and does not wait for the person", async (editor) => {
  let answer;
  let withdrawn;
  editor.onPermission = ({ signal }) => {
    withdrawn = new Promise((resolve) => signal.addEventListener("abort", resolve));
    return new Promise((resolve) => (answer = resolve));
  };
  const prompt = editor.prompt("/edit a.txt alpha => ALPHA");
  const { message } = await editor.transcript.when((e) => e.method === "session/request_permission");
  await editor.cancel();
  const turn = await prompt;
  assert.equal(turn.stopReason, "cancelled");
  await withdrawn;
  const notice = await editor.transcript.when((e) => e.from === "agent" && e.method === "$/cancel_request");
  assert.equal(notice.message.params.requestId, message.id);
  assert.equal(onlyTool(turn).status, "failed");

  answer(choose("allow_once")());
  assert.equal((await editor.prompt("/say next")).stopReason, "end_turn", "the session takes the next prompt");
  assert.equal(await editor.read("a.txt"), "alpha\nbeta\n", "a late consent is none");
});

scenario("a question is asked in the best way that the editor has", async (editor) => {
  const asForm = editor.capabilities.elicitation?.form !== undefined;
  editor.onElicitation = ({ params }) => {
    const [[name, property]] = Object.entries(params.requestedSchema.properties);
    assert.deepEqual(property.enum, ["Red", "Green"]);
    return { action: "accept", content: { [name]: "Green" } };
  };
  editor.onPermission = ({ params }) => choose(params.options.find((o) => o.name === "Green").optionId)();
  const turn = await editor.prompt("/ask Which colour? | Red | Green");
  assert.match(turn.text(), /Green/);
  assert.equal(turn.requests("elicitation/create").length, asForm ? 1 : 0);
  assert.equal(turn.requests("session/request_permission").length, asForm ? 0 : 1);
});

scenario("a question that nobody answers does not end the turn", async (editor) => {
  const turn = await editor.prompt("/ask Which colour? | Red | Green\n/say still here");
  assert.equal(turn.stopReason, "end_turn");
  assert.match(turn.text(), /still here/);
});

scenario("a question without choices is answered in a form, or with the next prompt", async (editor) => {
  editor.onElicitation = ({ params }) => ({
    action: "accept",
    content: { [Object.keys(params.requestedSchema.properties)[0]]: "Ada" },
  });
  let turn = await editor.prompt("/ask What is your name?");
  if (editor.capabilities.elicitation === undefined) {
    assert.equal(turn.stopReason, "end_turn");
    assert.match(turn.text(), /What is your name\?/);
    turn = await editor.prompt("Ada");
  }
  assert.match(turn.text(), /Ada/);
});

scenario("a tool that fails says why, and the turn goes on", async (editor) => {
  const turn = await editor.prompt("/fail out of cheese\n/say still here");
  const tool = onlyTool(turn);
  assert.equal(tool.status, "failed");
  assert.match(contentText(tool), /out of cheese/);
  assert.match(turn.text(), /still here/);
  assert.equal(turn.stopReason, "end_turn");
});

scenario("a command shows what it prints", async (editor) => {
  editor.onPermission = choose("allow_once");
  const turn = await editor.prompt("/run echo one two");
  const tool = onlyTool(turn);
  assert.equal(tool.kind, "execute");
  assert.equal(tool.status, "completed");
  const [shown] = (tool.content ?? []).filter((c) => c.type === "terminal");
  assert.equal(shown !== undefined, editor.capabilities.terminal === true, "in the editor's terminal where it has any");
  assert.match(shown ? editor.terminals.text(shown.terminalId) : contentText(tool), /one two/);
});

scenario("a cancel stops a command, wherever it runs", async (editor) => {
  editor.onPermission = choose("allow_once");
  const prompt = editor.prompt("/run sleep 1000");
  await editor.seen((u) => u.status === "in_progress");
  await editor.cancel();
  const turn = await prompt;
  assert.equal(turn.stopReason, "cancelled");
  const tool = onlyTool(turn);
  assert.equal(tool.status, "failed");
  for (const item of (tool.content ?? []).filter((c) => c.type === "terminal")) {
    assert.equal((await editor.terminals.wait(item)).signal, "SIGKILL");
  }
});

scenario("a cancel in the middle of a turn stops it", async (editor) => {
  const prompt = editor.prompt("/wait 50\n/write late.txt too late");
  await editor.seen((u) => u.status === "in_progress");
  await editor.cancel();
  const turn = await prompt;
  assert.equal(turn.stopReason, "cancelled");
  assert.equal(onlyTool(turn).status, "failed");
  await assert.rejects(access(editor.path("late.txt")));
  assert.equal((await editor.prompt("/say next")).stopReason, "end_turn");
});

scenario("a prompt can be cancelled as a request", async (editor) => {
  const abort = new AbortController();
  const prompt = editor.prompt("/wait 50", { cancellationSignal: abort.signal });
  await editor.seen((u) => u.status === "in_progress");
  abort.abort();
  const how = await prompt.then(
    (turn) => turn.stopReason,
    (err) => err.code,
  );
  assert.ok(how === "cancelled" || how === -32800, `ended with ${how}`);
});
