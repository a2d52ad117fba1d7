import assert from "node:assert/strict";
import { test } from "node:test";

import { Desk, standIn } from "./desk.js";

test("chats opened in quick succession leave no agent behind", () =>
  Desk.use({ agent: standIn("full", "echo") }, async (desk) => {
    await desk.prompt("one");
    const begun = new Set([desk.host.conversation]);
    desk.editor.sessionChanged = () => void begun.add(desk.host.conversation);
    await Promise.all([desk.host.newSession(), desk.host.newSession()]);
    assert.equal(begun.size, 3);
    await desk.host.close();
    for (const conversation of begun) {
      await conversation.started();
      assert.equal(conversation.live, undefined, "an agent still runs");
    }
  }));

test("an agent is called what it calls itself, in one line", async () => {
  await Desk.use({ agent: standIn("full", "echo", "named") }, async (desk) => {
    await desk.prompt("hello");
    assert.equal(desk.view.session.agentName, "Echo");
  });
  await Desk.use({ agent: standIn("full", "echo") }, async (desk) => {
    await desk.prompt("hello");
    assert.equal(desk.view.session.agentName, undefined);
  });
});

test("options are shown as the agent accepts them, and a refused choice is reported", () =>
  Desk.use({ agent: standIn("full", "options") }, async (desk) => {
    const current = (): unknown[] => desk.view.session.options.map((o) => o.current);
    assert.deepEqual(desk.view.session.options.map((o) => o.name), ["Model", "Web"]);
    assert.deepEqual(desk.view.session.options[0]?.choices[1], { value: "b", name: "B", group: "Small ones" });
    await desk.say({ type: "setOption", optionId: "model", value: "b" });
    assert.deepEqual(current(), ["b", false]);
    await desk.say({ type: "setOption", optionId: "web", value: true });
    assert.deepEqual(current(), ["b", false]);
    assert.match(desk.view.all("notice")[0]?.description ?? "", /the web is closed/);
    const before = desk.traffic.length;
    for (const value of ["c", true, ""]) await desk.say({ type: "setOption", optionId: "model", value });
    assert.equal(desk.traffic.length, before, "what was not offered was sent");
  }));

test("modes of an agent without options are an option", () =>
  Desk.use({ agent: standIn("full", "modes") }, async (desk) => {
    await desk.say({ type: "setOption", optionId: "mode", value: "code" });
    assert.equal(desk.view.session.options[0]?.current, "code");
    await desk.prompt("go");
    assert.equal(desk.view.session.options[0]?.current, "ask");
  }));

test("the workspace agent's mode can be chosen, and holds", () =>
  Desk.use({}, async (desk) => {
    const mode = desk.view.session.options.find((o) => o.category === "mode");
    const other = mode?.choices.find((c) => c.value !== mode.current);
    assert.ok(mode && other, "the workspace agent has no modes");
    await desk.say({ type: "setOption", optionId: mode.id, value: other.value });
    assert.equal(desk.view.session.options.find((o) => o.id === mode.id)?.current, other.value);
  }));

test("events report tokens and cost, sub-agents are nested, and ended calls stay ended", () =>
  Desk.use({ agent: standIn("full", "events") }, async (desk) => {
    await desk.prompt("go");
    assert.deepEqual(desk.view.session.usage, { used: 201, cost: { amount: 0.25, currency: "USD" } });
    assert.deepEqual(desk.events.map((e) => e.type), ["step_start", "usage", "usage", "from a newer Turnwire"]);
    const [outer, inner] = desk.view.calls;
    assert.deepEqual([outer?.status, outer?.progress, inner?.parent], ["cancelled", undefined, "outer"]);
    assert.equal((inner?.ended ?? 0) - (inner?.started ?? 0), 1234);
    const [compaction] = desk.view.all("notice");
    assert.deepEqual([compaction?.title, compaction?.description], ["The conversation was compacted", "Short."]);
  }));
