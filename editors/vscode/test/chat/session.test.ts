import assert from "node:assert/strict";
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import type { SessionEntry } from "../../src/shared/model.js";
import { Desk, standIn, turnwire } from "./desk.js";

async function sessions(desk: Desk): Promise<SessionEntry[]> {
  await desk.say({ type: "listSessions" });
  const last = desk.messages("sessions").at(-1);
  return last?.type === "sessions" ? last.sessions : [];
}

test("a chat comes back after a reload, and says that its agent does not remember", () =>
  Desk.use({}, async (desk) => {
    await desk.prompt("/say One.\n/run true", "allow_once");
    const before = desk.view.items;
    await desk.reload();
    assert.deepEqual(desk.view.items, before);
    await desk.prompt("/say Two.");
    const types = desk.view.items.map((i) => i.type);
    assert.equal(types[before.length], "notice");
    assert.match(desk.view.all("notice")[0]?.title ?? "", /does not remember/);
    assert.match(desk.view.text, /Two\./);
  }));

test("what waited or ran when the window was closed does so no more", () =>
  Desk.use({}, async (desk) => {
    const turn = desk.say({ type: "prompt", text: "/run touch made", attachments: [] });
    await desk.view.asks();
    await desk.reload();
    await turn;
    const [call] = desk.view.calls;
    assert.equal(call?.permission, undefined);
    assert.equal(call?.status, "cancelled");
  }));

test("chats are listed, opened, renamed and deleted", () =>
  Desk.use({}, async (desk) => {
    await desk.prompt("/say First.");
    await desk.say({ type: "newSession" });
    await desk.prompt("/say Second.");
    let [second, first] = await sessions(desk);
    assert.deepEqual([second?.title, second?.current, first?.title, first?.current], ["/say Second.", true, "/say First.", false]);
    await desk.say({ type: "renameSession", id: first?.id ?? "", title: "The first" });
    await desk.say({ type: "renameSession", id: second?.id ?? "", title: "The second" });
    assert.equal(desk.view.session.title, "The second");
    await desk.say({ type: "openSession", id: first?.id ?? "" });
    assert.match(desk.view.text, /First\./);
    assert.equal(desk.view.session.title, "The first");
    desk.editor.yes = false;
    await desk.say({ type: "deleteSession", id: second?.id ?? "" });
    assert.equal((await sessions(desk)).length, 2, "it was deleted although the person said no");
    desk.editor.yes = true;
    await desk.say({ type: "deleteSession", id: second?.id ?? "" });
    await desk.say({ type: "deleteSession", id: first?.id ?? "" });
    assert.deepEqual(await sessions(desk), []);
    assert.deepEqual(desk.view.items, [], "the open chat was deleted, and is still shown");
    assert.deepEqual(await readdir(join(desk.folder, "history")), ["index.json"]);
  }));

test("something huge in a chat does not cost the rest of it", () =>
  Desk.use({ agent: standIn("full", "echo") }, async (desk) => {
    await desk.prompt("one");
    const data = `data:image/png;base64,${"A".repeat(3 << 20)}`;
    await desk.say({ type: "prompt", text: "look", attachments: [{ kind: "image", label: "huge.png", uri: "", data }] });
    await desk.reload();
    assert.equal(desk.view.all("user")[0]?.text, "one");
    assert.match(desk.view.all("notice")[0]?.title ?? "", /too large to be kept/);
  }));

test("chats that are begun faster than they begin leave no agent behind", () =>
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

test("a chat that is being deleted is not kept again", () =>
  Desk.use({}, async (desk) => {
    await desk.prompt("/say One.");
    const { id } = desk.host.conversation;
    await sessions(desk);
    const deleted = desk.history.delete.bind(desk.history);
    desk.history.delete = async (chat) => {
      await deleted(chat);
      await desk.host.restart(); // which keeps the open chat
    };
    await desk.say({ type: "deleteSession", id });
    assert.deepEqual((await sessions(desk)).filter((s) => s.id === id), []);
    assert.deepEqual(await readdir(join(desk.folder, "history")), ["index.json"]);
  }));

test("nothing is written any more when all is closed", (t) =>
  Desk.use({ start: false }, async (desk) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    await desk.ready();
    await desk.prompt("/say One.");
    await desk.host.close();
    await rm(join(desk.folder, "history"), { recursive: true });
    desk.host.conversation.notice("info", "Late.");
    t.mock.timers.tick(60_000);
    t.mock.timers.reset();
    await desk.history.list(); // behind whatever is being written
    await assert.rejects(readdir(join(desk.folder, "history")), { code: "ENOENT" });
  }));

test("a history that cannot be read is an empty one", () =>
  Desk.use({}, async (desk) => {
    await desk.prompt("/say One.");
    await desk.host.close();
    for (const file of await readdir(join(desk.folder, "history"))) await writeFile(join(desk.folder, "history", file), "{ broken");
    await desk.open();
    await desk.ready();
    assert.deepEqual(desk.view.items, []);
    await desk.prompt("/say Two.");
    assert.match(desk.view.text, /Two\./);
  }));

test("sessions of an agent that keeps them are listed, played back and deleted there", () =>
  Desk.use({ agent: standIn("full", "sessions") }, async (desk) => {
    const [old, older] = await sessions(desk);
    assert.deepEqual([old?.title, old?.canDelete, old?.canRename, older?.title], ["Old one", true, false, "Older"]);
    await desk.say({ type: "openSession", id: old?.id ?? "" });
    await desk.view.until(() => desk.view.session.status === "idle");
    assert.deepEqual(desk.view.items.map((i) => ("text" in i ? i.text : i.type)), ["What was it?", "It was this."]);
    await desk.prompt("go on");
    assert.match(desk.view.text, /in old$/);
    await desk.reload();
    assert.equal(desk.view.all("user").length, 2, "what is known already was played back again");
    await desk.prompt("again");
    assert.match(desk.view.text, /in oldin old$/);
    assert.deepEqual(desk.view.all("notice"), []);
    const [entry] = await sessions(desk);
    await desk.say({ type: "deleteSession", id: entry?.id ?? "" });
    assert.ok(desk.traffic.some((line) => line.startsWith("→") && line.includes('"session/delete"') && line.includes('"old"')));
    assert.deepEqual(desk.view.items, []);
  }));

test("a chat is opened with the agent that it was with", () =>
  Desk.use({ agents: { workspace: turnwire, echo: standIn("full", "echo") } }, async (desk) => {
    await desk.prompt("/say One.");
    await desk.say({ type: "newSession", agent: "echo" });
    assert.equal(desk.view.session.agent, "echo");
    await desk.prompt("two");
    assert.equal(desk.view.text, "two");
    const list = await sessions(desk);
    await desk.say({ type: "openSession", id: list.find((s) => !s.current)?.id ?? "" });
    assert.equal(desk.view.session.agent, "workspace");
  }));

test("options are chosen as the agent takes them, and a choice that it refuses is told", () =>
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

test("events tell tokens and cost, sub-agents are nested, and what is over stays over", () =>
  Desk.use({ agent: standIn("full", "events") }, async (desk) => {
    await desk.prompt("go");
    assert.deepEqual(desk.view.session.usage, { used: 201, cost: { amount: 0.25, currency: "USD" } });
    assert.deepEqual(desk.events.map((e) => e.type), ["step_start", "usage", "usage", "from a newer Turnwire"]);
    const [outer, inner] = desk.view.calls;
    assert.deepEqual([outer?.status, outer?.progress, inner?.parent], ["cancelled", undefined, "outer"]);
    assert.equal((inner?.ended ?? 0) - (inner?.started ?? 0), 1234);
    const [compaction] = desk.view.all("notice");
    assert.deepEqual([compaction?.title, compaction?.description], ["The agent has summarised the conversation to make room", "Short."]);
  }));
