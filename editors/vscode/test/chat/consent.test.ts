import assert from "node:assert/strict";
import { access } from "node:fs/promises";
import { test } from "node:test";

import { decide } from "../../src/chat/diffDecision.js";
import type { ShownDiff } from "../../src/chat/editor.js";
import { Desk, standIn } from "./desk.js";

const bad = (how: string): { agent: ReturnType<typeof standIn> } => ({ agent: standIn("bad", how) });
const exists = (path: string): Promise<boolean> => access(path).then(() => true, () => false);

test("a rejected call is not run", () =>
  Desk.use({}, async (desk) => {
    const turn = desk.prompt("/write notes.txt one");
    const { permission } = await desk.view.asks();
    const reject = permission.options.find((o) => o.kind === "reject_once");
    await desk.say({ type: "permission", requestId: permission.requestId, optionId: reject?.id ?? "" });
    await turn;
    assert.equal(await exists(desk.path("notes.txt")), false);
    assert.equal(desk.view.calls[0]?.decision, "Rejected");
  }));

test("only an offered option answers, only an open request, and only once", () =>
  Desk.use({}, async (desk) => {
    const turn = desk.prompt("/write notes.txt one");
    const { permission } = await desk.view.asks();
    const { requestId } = permission;
    for (const optionId of ["", "allow", "yes", "ALLOW_ONCE", "__proto__"]) await desk.say({ type: "permission", requestId, optionId });
    await desk.say({ type: "permission", requestId: `${requestId}0`, optionId: "allow_once" });
    assert.ok(desk.host.conversation.requests.permissions.of(desk.view.calls[0]?.id ?? ""), "something answered it");
    assert.equal(await exists(desk.path("notes.txt")), false);
    await desk.say({ type: "permission", requestId, optionId: "reject_once" });
    await desk.say({ type: "permission", requestId, optionId: "allow_once" });
    await turn;
    assert.equal(await exists(desk.path("notes.txt")), false);
  }));

test("a permission request shows the whole of a long command", () =>
  Desk.use({}, async (desk) => {
    const command = `true ${"x".repeat(50_000)}; rm -rf y; true ${"x".repeat(50_000)}`;
    const turn = desk.prompt(`/run ${command}`);
    const { input, permission } = await desk.view.asks();
    assert.ok(input.includes(command), "a part of it is left out");
    await desk.say({ type: "permission", requestId: permission.requestId, optionId: "reject_once" });
    await turn;
  }));

test("a cancel withdraws open requests and does not wait for the user", () =>
  Desk.use({}, async (desk) => {
    const turn = desk.prompt("/run touch made");
    const { permission, id } = await desk.view.asks();
    await desk.say({ type: "cancel" });
    await turn;
    const [call] = desk.view.calls;
    assert.equal(call?.permission, undefined);
    assert.equal(call?.decision, "Cancelled");
    assert.equal(call?.status, "cancelled");
    assert.deepEqual(desk.editor.settledIds, [permission.requestId]);
    await desk.say({ type: "permission", requestId: permission.requestId, optionId: "allow_once" });
    assert.equal(await exists(desk.path("made")), false);
    assert.equal(desk.host.conversation.requests.permissions.of(id), undefined);
  }));

test("requests after a cancel are refused and not shown", () =>
  Desk.use(bad("asks after a cancel"), async (desk) => {
    const turn = desk.prompt("go");
    await desk.view.until(() => desk.view.text !== "");
    await desk.say({ type: "cancel" });
    await turn;
    assert.match(desk.view.text, /late: {"outcome":"cancelled"}/);
    assert.deepEqual(desk.editor.asks, []);
  }));

test("requests outside a turn are refused and not shown", () =>
  Desk.use(bad("asks outside of a turn"), async (desk) => {
    await desk.prompt("go");
    await desk.view.until(() => desk.view.text !== "");
    assert.equal(desk.view.text, 'outside: {"outcome":"cancelled"}');
    assert.deepEqual(desk.editor.asks, []);
  }));

test("requests that the agent withdraws are no longer shown", () =>
  Desk.use(bad("asks and takes it back"), async (desk) => {
    await desk.prompt("go");
    assert.match(desk.view.text, /^a: /);
    assert.doesNotMatch(desk.view.text, /selected/);
    assert.equal(desk.view.calls[0]?.permission, undefined);
    assert.deepEqual(desk.editor.settledIds, desk.editor.asks.map((a) => a.id));
  }));

test("two requests about one call are answered separately", () =>
  Desk.use(bad("asks twice about one call"), async (desk) => {
    const turn = desk.prompt("go");
    const first = await desk.view.asks();
    await desk.say({ type: "permission", requestId: first.permission.requestId, optionId: "no" });
    await desk.view.until(() => desk.view.calls[0]?.permission?.requestId !== first.permission.requestId);
    const second = await desk.view.asks();
    await desk.say({ type: "permission", requestId: second.permission.requestId, optionId: "yes" });
    await turn;
    assert.equal(desk.view.text, "first=no second=yes");
  }));

test("an answer never counts for a later request, even after a restart", () =>
  Desk.use({}, async (desk) => {
    const first = desk.say({ type: "prompt", text: "/run touch made", attachments: [] });
    const { permission: old } = await desk.view.asks();
    await desk.host.restart();
    await first;
    const second = desk.say({ type: "prompt", text: "/run touch made", attachments: [] });
    const { permission } = await desk.view.asks();
    await desk.say({ type: "permission", requestId: old.requestId, optionId: "allow_once" });
    await desk.say({ type: "permission", requestId: permission.requestId, optionId: "reject_once" });
    await second;
    assert.equal(await exists(desk.path("made")), false, "it was done by an answer to another request");
  }));

test("the diff view can allow a change only if nothing else is requested", () =>
  Desk.use(bad("changes what it asks"), async (desk) => {
    const turn = desk.prompt("go");
    const { id, permission } = await desk.view.asks();
    const shown = (index: number): ShownDiff => desk.editor.diffs[index] ?? assert.fail();
    await desk.say({ type: "openDiff", toolCallId: id, index: 0 });
    await desk.say({ type: "permission", requestId: permission.requestId, optionId: "no" });
    await desk.view.until(() => (desk.view.calls[0]?.permission?.requestId ?? permission.requestId) !== permission.requestId);
    assert.equal(decide(desk.host.conversation, shown(0), "allow_once"), false, "another change was allowed");
    await desk.say({ type: "openDiff", toolCallId: id, index: 0 });
    assert.equal(decide(desk.host.conversation, shown(1), "allow_once"), true);
    await turn;
    assert.equal(desk.view.text, "one=no two=yes");
  }));

test("an option that allows says so, whatever its name is", () =>
  Desk.use(bad("calls things what they are not"), async (desk) => {
    const turn = desk.prompt("go");
    const { permission } = await desk.view.asks();
    assert.deepEqual(
      permission.options.map((o) => o.name),
      ["Reject (always allow)", "No (allow)", "Allow (always allow)", "Allow", "Always allow", "Allow all edits", "Not now"],
    );
    await desk.say({ type: "permission", requestId: permission.requestId, optionId: "0" });
    await turn;
    assert.equal(desk.view.calls[0]?.decision, "Always allowed: Reject (always allow)");
  }));

test("a request without options is refused", () =>
  Desk.use(bad("asks with nothing to choose"), async (desk) => {
    await desk.prompt("go");
    assert.equal(desk.view.text, '{"outcome":"cancelled"}');
  }));

test("a chat that is left keeps its requests open, and only its own view answers them", () =>
  Desk.use({}, async (desk) => {
    const turn = desk.say({ type: "prompt", text: "/run touch made", attachments: [] });
    const { permission } = await desk.view.asks();
    const left = desk.host.conversation;
    await desk.say({ type: "newSession" });
    await desk.say({ type: "permission", requestId: permission.requestId, optionId: "allow_once" });
    assert.deepEqual([left.requests.waiting, desk.editor.settledIds], [1, []]);
    await desk.say({ type: "openSession", id: left.sessionId ?? "" });
    await desk.say({ type: "permission", requestId: permission.requestId, optionId: "reject_once" });
    await turn;
    assert.equal(await exists(desk.path("made")), false);
    assert.deepEqual(desk.editor.settledIds, [permission.requestId]);
  }));

test("an agent starts only once the workspace is trusted", () =>
  Desk.use({ start: false }, async (desk) => {
    desk.editor.trust = false;
    await desk.ready();
    assert.equal(desk.host.conversation.live, undefined);
    assert.deepEqual(desk.traffic, []);
    assert.match(desk.view.all("notice")[0]?.title ?? "", /only in trusted workspaces/);
    desk.editor.trust = true;
    await desk.host.conversation.start();
    await desk.view.until(() => desk.view.session.status === "idle");
    assert.deepEqual(desk.view.items, []);
  }));
