import assert from "node:assert/strict";
import { test } from "node:test";

import { Desk, standIn } from "./desk.js";

test("nothing runs after the end of a turn, whatever the agent sends", () =>
  Desk.use({ agent: standIn("bad", "goes on after its turn") }, async (desk) => {
    await desk.prompt("go");
    await desk.view.until(() => desk.view.text.includes("That was all."));
    assert.deepEqual(desk.view.calls.map(({ id, status }) => [id, status]), [["call", "completed"], ["late", "completed"], ["later", "completed"]]);
    for (const call of desk.view.calls) assert.ok(call.ended !== undefined && call.progress === undefined, call.id);
    assert.deepEqual(desk.view.all("plan").map(({ over }) => over), [true, true]);
    assert.ok(desk.view.all("thought")[0]?.ended !== undefined);
    assert.equal(desk.view.session.status, "idle");
  }));

test("a cancelled turn ends with a line that says so", () =>
  Desk.use({}, async (desk) => {
    const turn = desk.prompt("/plan One; Two\n/run echo no");
    await desk.view.asks();
    await desk.say({ type: "cancel" });
    await turn;
    const last = desk.view.items.at(-1);
    assert.deepEqual(last?.type === "notice" && [last.title, last.quiet], ["Cancelled", true]);
    assert.equal(desk.view.calls[0]?.status, "cancelled");
  }));
