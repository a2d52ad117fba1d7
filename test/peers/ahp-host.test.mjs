// An Agent Host Protocol host with the official client. The host negotiates the newest
// version, the client knows every action, and a client that joins later gets the same
// state.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { Turnwire } from "../conformance/remote.mjs";

const peer = process.env.TURNWIRE_PEER;
assert.ok(peer, "TURNWIRE_PEER must name the program of test/peers/rust");
const agent = fileURLToPath(new URL("ahp-agent.mjs", import.meta.url));
const session = `turnwire:/${randomUUID()}`;
const chatOf = (uri) => `ahp-chat://default/${Buffer.from(uri).toString("base64url")}`;
const chat = chatOf(session);

let server;
before(async () => (server = await Turnwire.start("--", process.execPath, agent)));
after(() => server.stop());

// A Client is the official client in its own process.
class Client {
  lines = [];
  states = {};
  #waiting = [];
  #child;
  #closed;

  constructor(id) {
    const url = new URL("/ahp", server.urls.websocket);
    url.searchParams.set("tkn", server.token);
    this.#child = spawn(peer, ["ahp", url.href, id], { stdio: ["pipe", "pipe", "inherit"] });
    this.#closed = once(this.#child, "close");
    this.#closed.then(() => this.#waiting.forEach(({ reject }) => reject(new Error("the client has ended"))));
    createInterface({ input: this.#child.stdout }).on("line", (text) => {
      const line = JSON.parse(text);
      this.lines.push(line);
      if (line.state) this.states[line.channel] = line.state;
      this.#waiting = this.#waiting.filter(({ wakes }) => !wakes());
    });
  }

  get chat() {
    return this.states[chat];
  }

  // when resolves as soon as check returns something truthy, and rejects if the client
  // exits first.
  when(check) {
    return new Promise((resolve, reject) => {
      const wakes = () => {
        const found = check(this);
        if (found) resolve(found);
        return found;
      };
      if (!wakes()) this.#waiting.push({ wakes, reject });
    });
  }

  send(line) {
    this.#child.stdin.write(JSON.stringify(line) + "\n");
  }

  dispatch(action, channel = chat) {
    this.send({ dispatch: action, channel });
  }

  async subscribe(...channels) {
    for (const channel of channels) this.send({ subscribe: channel });
    await this.when(() => channels.every((channel) => this.states[channel]));
  }

  start(turnId, ...events) {
    this.dispatch({ type: "chat/turnStarted", turnId, startedAt: new Date().toISOString(), message: message(events) });
  }

  // ended resolves with a turn that has ended.
  ended(id) {
    return this.when(() => !this.chat.activeTurn && this.chat.turns.find((turn) => turn.id === id));
  }

  // part resolves with a part of the running turn.
  part(check) {
    return this.when(() => this.chat.activeTurn?.responseParts.find(check));
  }

  async stop() {
    this.#child.stdin.end();
    assert.deepEqual(await this.#closed, [0, null]);
  }
}

const message = (events) => ({ text: JSON.stringify(events), origin: { kind: "user" } });
const done = { type: "done" };
const confirmation = (id) => ({
  type: "tool_confirmation_request", confirmationId: id, toolCallId: id, toolName: "execute_command", args: { command: "make" },
  decisions: ["allow_once", "reject_once"],
});

test("the official client follows every turn", { timeout: 60_000 }, async (t) => {
  const client = new Client("one");
  await client.when(() => client.lines.some((line) => line.version));
  assert.equal(client.lines[0].version, "1.0.0");
  client.send({ request: "createSession", params: { channel: session, provider: "turnwire" } });
  await client.when(() => client.lines.some((line) => "result" in line));
  await client.subscribe(session, chat);

  await t.test("text and a thought", async () => {
    client.start("text", { type: "thinking_delta", thinking: "hm" }, { type: "text_delta", text: "hello " }, { type: "text_delta", text: "there" }, done);
    const turn = await client.ended("text");
    assert.deepEqual(turn.responseParts.map((p) => [p.kind, p.content]), [["reasoning", "hm"], ["markdown", "hello there"]]);
    assert.equal(turn.state, "complete");
  });

  await t.test("a tool call with output, and an edit", async () => {
    client.start(
      "tool",
      { type: "tool_start", toolCallId: "run", toolName: "execute_command", args: { command: "make" } },
      { type: "tool_output", toolCallId: "run", output: "made\n" },
      { type: "tool_end", toolCallId: "run", toolName: "execute_command", ok: true, result: "made\n" },
      { type: "tool_start", toolCallId: "edit", toolName: "edit_file", args: { path: "/w/a.txt" }, diffs: [{ path: "/w/a.txt", oldText: "old", newText: "new" }] },
      { type: "tool_end", toolCallId: "edit", toolName: "edit_file", ok: true },
      done,
    );
    const [run, edit] = (await client.ended("tool")).responseParts.map((p) => p.toolCall);
    assert.equal(run.status, "completed");
    assert.match(JSON.stringify(run.content), /made/);
    assert.equal(edit.content[0].type, "fileEdit");
    assert.deepEqual(edit.content[0].diff, { added: 1, removed: 1 });
  });

  for (const approved of [true, false]) {
    const id = approved ? "allowed" : "refused";
    await t.test(`a confirmation that is ${id}`, async () => {
      client.start(id, confirmation(id), { type: "tool_end", toolCallId: id, toolName: "execute_command", ok: approved }, done);
      const { toolCall } = await client.part((p) => p.toolCall?.status === "pending-confirmation");
      const option = toolCall.options.find((o) => o.kind === (approved ? "approve" : "deny"));
      client.dispatch({
        type: "chat/toolCallConfirmed", turnId: id, toolCallId: id, approved, selectedOptionId: option.id,
        ...(approved ? { confirmed: "user-action" } : { reason: "denied" }),
      });
      const turn = await client.ended(id);
      assert.equal(turn.responseParts[0].toolCall.status, approved ? "completed" : "cancelled");
    });
  }

  await t.test("a question", async () => {
    client.start("question", { type: "question", questionId: "q", question: "Which?", options: ["Red", "Green"] }, done);
    const { request } = await client.part((p) => p.kind === "inputRequest" && !p.response);
    client.dispatch({
      type: "chat/inputCompleted", requestId: request.id, response: "accept",
      answers: { [request.questions[0].id]: { state: "submitted", value: { kind: "selected", value: request.questions[0].options[1].id } } },
    });
    assert.equal((await client.ended("question")).responseParts[0].response, "accept");
  });

  await t.test("a cancel", async () => {
    client.start("cancel", { type: "text_delta", text: "begun" }, { type: "wait" });
    await client.part((p) => p.content === "begun");
    client.dispatch({ type: "chat/turnCancelled", turnId: "cancel", duration: 1 });
    assert.equal((await client.ended("cancel")).state, "cancelled");
  });

  await t.test("an error", async () => {
    client.start("error", { type: "text_delta", text: "begun" }, { type: "error", error: "it broke", fatal: true });
    const turn = await client.ended("error");
    assert.equal(turn.state, "error");
    assert.equal(turn.responseParts.at(-1).kind, "error");
    assert.match(turn.responseParts.at(-1).error.message, /it broke/);
  });

  await t.test("a queued prompt", async () => {
    client.start("busy", confirmation("busy"), done);
    await client.part((p) => p.toolCall?.status === "pending-confirmation");
    client.dispatch({ type: "chat/pendingMessageSet", kind: "queued", id: "next", message: message([{ type: "text_delta", text: "second" }, done]) });
    await client.when(() => client.chat.queuedMessages?.length === 1);
    client.dispatch({ type: "chat/toolCallConfirmed", turnId: "busy", toolCallId: "busy", approved: false, reason: "denied" });
    await client.when(() => !client.chat.activeTurn && client.chat.turns.at(-1).responseParts[0]?.content === "second");
    assert.equal(client.chat.queuedMessages?.length ?? 0, 0);
  });

  // The agent's options are known now, and new sessions have them in their schema.
  const second = `turnwire:/${randomUUID()}`;
  await t.test("a mode and a model", async () => {
    assert.deepEqual(client.states["ahp-root://"].agents[0].models.map((m) => m.id).sort(), ["default", "large", "small"]);
    client.send({ request: "createSession", params: { channel: second, provider: "turnwire" } });
    await client.subscribe(second, chatOf(second));
    client.dispatch({ type: "session/configChanged", config: { mode: "code" } }, second);
    await client.when(() => client.states[second].config.values.mode === "code");
    client.dispatch({
      type: "chat/turnStarted", turnId: "model", startedAt: new Date().toISOString(),
      message: { ...message([{ type: "chosen" }, done]), model: { id: "large" } },
    }, chatOf(second));
    await client.when(() => client.states[chatOf(second)].turns.length === 1);
    assert.equal(client.states[chatOf(second)].turns[0].responseParts[0].content, "large code");
  });

  const refused = client.lines.filter((line) => line.refused || line.rejected);
  assert.deepEqual(refused, []);
  const later = new Client("two");
  const channels = [session, chat, second, chatOf(second)];
  await later.subscribe(...channels);
  for (const channel of channels) assert.deepEqual(withoutTimes(client.states[channel]), withoutTimes(later.states[channel]));
  await later.stop();
  await client.stop();
});

// withoutTimes removes the times that each client takes from its own clock.
function withoutTimes(state) {
  return JSON.parse(JSON.stringify(state, (key, value) => (key === "modifiedAt" ? undefined : value)));
}
