// Sessions outlive the process: they are listed, loaded with all their
// messages, resumed and deleted.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Editor } from "./editor.mjs";
import { editors } from "./editors.mjs";

const kinds = (updates) => updates.map((u) => u.sessionUpdate);

for (const [name, capabilities] of Object.entries(editors)) {
  test(`${name} loads a session unchanged`, async () => {
    const told = {};
    await Editor.use({ capabilities, files: { "a.txt": "one\n" } }, async (editor) => {
      editor.onPermission = ({ params }) => ({ outcome: { outcome: "selected", optionId: params.options[0].optionId } });
      await editor.prompt("/say tea");
      const edit = await editor.prompt("/edit a.txt one => two");
      told.id = editor.sessionId;
      told.call = edit.tools()[0];
      told.text = edit.text();
    });
    assert.equal(told.call.status, "completed");

    await Editor.use({ capabilities, load: told.id }, async (editor) => {
      const { loaded } = editor;
      assert.equal(loaded.text("user_message_chunk"), "/say tea/edit a.txt one => two");
      assert.ok(loaded.text().startsWith("tea"), loaded.text());
      assert.ok(loaded.text().endsWith(told.text), loaded.text());
      assert.deepEqual(loaded.requests("session/request_permission"), []);
      const [call] = loaded.tools();
      for (const member of ["status", "title", "kind", "rawInput"]) assert.deepEqual(call[member], told.call[member], member);
      assert.deepEqual(call.content.filter((c) => c.type === "diff"), told.call.content.filter((c) => c.type === "diff"));
      assert.equal((await editor.prompt("/say more")).text().trim().split("\n")[0], "more");

      const { sessions } = await editor.request("session/list", {});
      const listed = sessions.find((s) => s.sessionId === told.id);
      assert.equal(listed.title, "/say tea");
      assert.ok(Date.parse(listed.updatedAt) > Date.now() - 3600_000);
      assert.deepEqual((await editor.request("session/list", { cwd: "/nowhere" })).sessions, []);

      const named = await editor.request("session/set_title", { sessionId: told.id, title: " About\n tea " });
      assert.equal(named.title, "About tea");
      await editor.prompt("/say that keeps the name");
      assert.equal((await editor.request("session/list", {})).sessions.find((s) => s.sessionId === told.id).title, "About tea");

      await editor.request("session/close", { sessionId: told.id });
      assert.equal((await editor.request("session/set_title", { sessionId: told.id, title: "Tea" })).title, "Tea");
      await editor.request("session/load", { sessionId: told.id, cwd: editor.cwd, mcpServers: [] });
      const updates = editor.transcript.entries.flatMap((e) => e.message.params?.update ?? []);
      assert.equal(updates.findLast((u) => u.sessionUpdate === "session_info_update").title, "Tea");
      await editor.request("session/close", { sessionId: told.id });
      await editor.request("session/resume", { sessionId: told.id, cwd: editor.cwd });
      const resumed = await editor.prompt("/say and more");
      assert.ok(!kinds(resumed.updates).includes("user_message_chunk"));
      await editor.request("session/delete", { sessionId: told.id });
      await editor.request("session/delete", { sessionId: told.id });
      const after = await editor.request("session/list", {});
      assert.ok(!after.sessions.some((s) => s.sessionId === told.id));
      await assert.rejects(editor.request("session/load", { sessionId: told.id, cwd: editor.cwd, mcpServers: [] }), { code: -32002 });
    });
  });
}
