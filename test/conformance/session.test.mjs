// Everything around turns: initialize, sessions, and refused calls.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Editor } from "./editor.mjs";
import { editors } from "./editors.mjs";

const everything = editors["an editor with everything"];

test("Turnwire reports its name and its real capabilities", () =>
  Editor.use({}, async ({ initialized }) => {
    assert.equal(initialized.protocolVersion, 1);
    assert.equal(initialized.agentInfo.name, "turnwire");
    assert.ok(initialized.agentInfo.version);
    assert.equal(initialized.agentCapabilities.loadSession, true);
    const sessions = Object.keys(initialized.agentCapabilities.sessionCapabilities).sort();
    assert.deepEqual(sessions, ["additionalDirectories", "close", "delete", "list", "resume"]);
    assert.equal(initialized.agentCapabilities._meta["turnwire.dev/title"], true);
  }));

test("a version that does not exist is answered with the latest that Turnwire knows", () =>
  Editor.use({ protocolVersion: 65535 }, async ({ initialized }) => assert.equal(initialized.protocolVersion, 1)));

test("the slash commands are announced after the session", () =>
  Editor.use({}, async (editor) => {
    const { message } = await editor.transcript.when(
      (e) => e.message.params?.update?.sessionUpdate === "available_commands_update",
    );
    const names = message.params.update.availableCommands.map((c) => c.name);
    for (const name of ["say", "read", "edit", "run", "ask", "help"]) assert.ok(names.includes(name), name);
  }));

test("a closed session is gone, and others continue", () =>
  Editor.use({ capabilities: everything }, async (editor) => {
    const first = editor.sessionId;
    const second = await editor.request("session/new", { cwd: editor.cwd, mcpServers: [] });
    assert.notEqual(second.sessionId, first);
    await editor.request("session/close", { sessionId: first });
    await assert.rejects(editor.prompt("/say hello"), (err) => {
      assert.equal(err.code, -32002);
      assert.equal(err.data.sessionId, first);
      return true;
    });
    editor.sessionId = second.sessionId;
    assert.match((await editor.prompt("/say hello")).text(), /hello/);
  }));

const refused = {
  "a method that does not exist": ["session/dance", {}, -32601],
  "params of the wrong shape": ["session/prompt", { sessionId: 7, prompt: "hello" }, -32602],
  "a working directory that is not absolute": ["session/new", { cwd: "here", mcpServers: [] }, -32602],
  "a session that was never opened": ["session/prompt", { sessionId: "nobody", prompt: [] }, -32002],
};
for (const [what, [method, params, code]] of Object.entries(refused)) {
  test(`${what} is refused with ${code}, and the connection survives`, () =>
    Editor.use({}, async (editor) => {
      await assert.rejects(editor.request(method, params), (err) => {
        assert.equal(err.code, code, err.message);
        return true;
      });
      assert.equal((await editor.prompt("/say hello")).stopReason, "end_turn");
    }));
}
