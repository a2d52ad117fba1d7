import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { Desk } from "./desk.js";

test("a turn shows the prompt, thoughts, a plan and the answer", () =>
  Desk.use({}, async (desk) => {
    const items = await desk.prompt("/plan a; b\n/think Hmm.\n/say Hello!");
    assert.deepEqual(items.map((i) => i.type).slice(0, 2), ["user", "plan"]);
    const [thought] = desk.view.all("thought");
    assert.equal(thought?.text.trim(), "Hmm.");
    assert.ok(thought?.ended !== undefined, "the thought has not ended");
    assert.match(desk.view.text, /Hello!/);
    assert.equal(desk.view.session.status, "idle");
    assert.equal(desk.view.session.title, "/plan a; b");
    assert.ok(desk.view.session.commands.some((c) => c.name === "help"));
  }));

test("an allowed call runs, and is marked as allowed", () =>
  Desk.use({}, async (desk) => {
    const turn = desk.prompt("/write notes.txt one\\ntwo");
    const call = await desk.view.asks();
    const [diff] = call.content;
    assert.equal(diff?.type, "diff");
    assert.deepEqual(diff?.type === "diff" && [diff.added, diff.removed], [2, 0]);
    const allow = call.permission.options.find((o) => o.kind === "allow_once");
    assert.ok(allow);
    await desk.say({ type: "permission", requestId: call.permission.requestId, optionId: allow.id });
    await turn;
    assert.match(await readFile(desk.path("notes.txt"), "utf8"), /^one\ntwo/);
    const [done] = desk.view.calls;
    assert.equal(done?.status, "completed");
    assert.equal(done?.permission, undefined);
    assert.equal(done?.decision, "Allowed");
    assert.deepEqual(desk.editor.settledIds, [call.permission.requestId]);
  }));
