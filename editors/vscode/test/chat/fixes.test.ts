import assert from "node:assert/strict";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import type { Notice } from "../../src/shared/model.js";
import { Desk, standIn, turnwire } from "./desk.js";

const errors = (desk: Desk): Notice[] => desk.view.all("notice").filter(({ severity }) => severity === "error");
const offered = (desk: Desk) => errors(desk).map(({ fixes, retry }) => [fixes, retry]);

test("a missing binary is reported with a remedy, and started once it exists", async () => {
  const folder = await mkdtemp(join(tmpdir(), "turnwire-fix-"));
  const command = join(folder, "turnwire");
  try {
    await Desk.use({ agent: { ...turnwire, command } }, async (desk) => {
      assert.equal(desk.view.session.status, "failed");
      assert.deepEqual(offered(desk), [[["install", "settings", "again"], undefined]]);
      await desk.say({ type: "fix", fix: "settings" });
      assert.deepEqual(desk.editor.fixed, ["settings"]);
      await desk.say({ type: "fix", fix: "again" });
      assert.equal(errors(desk).length, 1, "the same was said twice");
      await symlink(turnwire.command, command);
      await desk.say({ type: "fix", fix: "again" });
      assert.deepEqual(errors(desk), []);
      assert.equal(desk.view.session.status, "idle");
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("an agent that cannot be used, and one that has stopped, offer the log", () =>
  Desk.use({ agents: { gone: standIn("bad", "dies at once"), dies: standIn("bad", "dies") } }, async (desk) => {
    assert.deepEqual(offered(desk), [[["log", "settings", "again"], undefined]]);
    await desk.host.newSession("dies");
    await desk.host.conversation.started();
    await desk.prompt("go");
    assert.deepEqual(offered(desk), [[["log"], true]]);
    await desk.prompt("go on");
    assert.deepEqual(offered(desk), [[undefined, undefined], [["log"], true]], "only the last one can be helped");
  }));

test("an untrusted workspace and a window without a folder offer a remedy", async () => {
  await Desk.use({ start: false }, async (desk) => {
    desk.editor.trust = false;
    await desk.ready();
    assert.deepEqual(offered(desk), [[["trust"], undefined]]);
  });
  await Desk.use({ start: false }, async (desk) => {
    desk.editor.open = [];
    await desk.ready();
    assert.deepEqual(offered(desk), [[["folder"], undefined]]);
  });
});
