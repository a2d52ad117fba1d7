// Turns over a transport: it passes on what was sent, and each line satisfies the
// official schema.

import assert from "node:assert/strict";
import { test } from "node:test";

import { converse } from "./converse.mjs";
import { Editor } from "./editor.mjs";
import { editors } from "./editors.mjs";

const binary = process.env.TURNWIRE_BINARY;
const everything = editors["an editor with everything"];
const allow = ({ params }) => ({ outcome: { outcome: "selected", optionId: params.options[0].optionId } });

// turnsOver tests a transport with the workspace agent. reach returns a function
// that opens an editor using it.
export function turnsOver(kind, reach) {
  const over = (options = {}) => ({ capabilities: everything, ...reach(), ...options });

  test(`${kind}: a turn with a question, files and a terminal`, () =>
    Editor.use(over({ files: { "a.txt": "one\n" } }), async (editor) => {
      editor.onPermission = allow;
      const edit = await editor.prompt("/edit a.txt one => two");
      assert.equal(edit.stopReason, "end_turn");
      assert.equal(edit.requests("session/request_permission").length, 1);
      assert.equal(edit.tools()[0].status, "completed");
      assert.equal(await editor.read("a.txt"), "two\n");
      const run = await editor.prompt(`/run ${process.platform === "win32" ? "cmd /c echo hello" : "echo hello"}`);
      assert.equal(run.stopReason, "end_turn");
    }));

  test(`${kind}: a cancel withdraws open requests`, () =>
    Editor.use(over({ files: { "a.txt": "one\n" } }), async (editor) => {
      let asked;
      const isAsked = new Promise((resolve) => (asked = resolve));
      editor.onPermission = () => {
        asked();
        return new Promise(() => {}); // nobody answers
      };
      const turn = editor.prompt("/edit a.txt one => two");
      await isAsked;
      await editor.cancel();
      assert.equal((await turn).stopReason, "cancelled");
      assert.equal(await editor.read("a.txt"), "one\n");
    }));

  test(`${kind}: long messages and non-ASCII text pass in both directions`, () =>
    Editor.use(over(), async (editor) => {
      const text = "Grüße 🌍 \u2028 \\ ".repeat(60_000);
      const turn = await editor.prompt(`/say ${text}`);
      assert.ok(turn.text().startsWith(text.trim()), turn.text().slice(0, 100));
    }));

  test(`${kind}: two sessions at once, and one that is closed`, () =>
    Editor.use(over(), async (editor) => {
      const first = editor.sessionId;
      const { sessionId } = await editor.request("session/new", { cwd: editor.cwd, mcpServers: [] });
      const say = (id, text) => editor.request("session/prompt", { sessionId: id, prompt: [{ type: "text", text: `/say ${text}` }] });
      const ends = await Promise.all([say(first, "one"), say(sessionId, "two")]);
      assert.deepEqual(ends.map((e) => e.stopReason), ["end_turn", "end_turn"]);
      await editor.request("session/close", { sessionId });
      await assert.rejects(say(sessionId, "three"), { code: -32002 });
      assert.equal((await say(first, "four")).stopReason, "end_turn");
    }));

  test(`${kind}: a session continues over another connection`, async () => {
    let id;
    await Editor.use(over(), async (editor) => {
      id = editor.sessionId;
      await editor.prompt("/say tea");
    });
    await Editor.use(over({ load: id }), async (editor) => {
      assert.match((await editor.prompt("/say more")).text(), /more/);
    });
  });

  test(`${kind}: a continued session has all messages`, async () => {
    let id;
    await Editor.use(over(), async (editor) => {
      id = editor.sessionId;
      await editor.prompt("/say tea");
      await editor.request("session/close", { sessionId: id });
    });
    await Editor.use(over({ load: id }), async (editor) => {
      const said = editor.transcript.entries.flatMap((e) => e.message.params?.update?.content?.text ?? []).join("");
      assert.match(said, /\/say tea/);
      assert.match((await editor.prompt("/say more")).text(), /more/);
    });
  });

  test(`${kind}: invalid messages are errors, and the connection survives`, () =>
    Editor.use(over(), async (editor) => {
      await assert.rejects(editor.request("session/dance", {}), { code: -32601 });
      await assert.rejects(editor.request("session/prompt", { sessionId: "nobody", prompt: [] }), { code: -32002 });
      assert.equal((await editor.prompt("/say hello")).stopReason, "end_turn");
    }));
}

// samplesOver tests that an agent run by a server sends and receives the same as
// one that is started directly, for everything in the official schema. serve gets
// the agent's command and returns the URL.
export function samplesOver(kind, serve) {
  for (const file of ["schema.json", "schema.unstable.json"]) {
    test(`${kind}: every message in ${file} passes unchanged`, async () => {
      const direct = await converse(file, (command) => command);
      const relayed = await converse(file, async (command) => [binary, "acp", "--agent", "acp", "--url", await serve(command)]);
      assert.ok(direct.client.length > 300, `only ${direct.client.length} lines`);
      withoutTerminals(direct.client);
      if (kind.includes("http")) withoutResumption(relayed.agent);
      for (const side of ["client", "agent"]) {
        const [want, got] = [direct[side], relayed[side]].map((lines) => (kind.includes("http") ? unordered(lines) : lines));
        for (let i = 0; i < Math.max(want.length, got.length); i++) {
          assert.deepEqual(got[i], want[i], `line ${i} that the ${side} was sent`);
        }
      }
    });
  }
}

// withoutResumption drops the capability by which Turnwire's client asks for streams that
// can be resumed. Servers have no other way to know, and pass it on to the agent.
function withoutResumption(lines) {
  for (const { method, params } of lines) {
    if (method === "initialize" && params?.clientCapabilities?.transport?.resumable) delete params.clientCapabilities.transport;
  }
}

// withoutTerminals drops terminal logins, because they would run on the wrong
// machine.
function withoutTerminals(lines) {
  for (const { result } of lines) {
    if (result?.authMethods) result.authMethods = result.authMethods.filter((m) => m.type !== "terminal");
  }
}

// unordered sorts lines: HTTP streams have no mutual order.
function unordered(lines) {
  return lines.map(({ id, ...rest }) => JSON.stringify(rest)).sort();
}
