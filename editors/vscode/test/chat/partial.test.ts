/** A change of which the user accepts a part. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { test } from "node:test";

import { partsOf, textWithout, type Part } from "../../src/chat/changeParts.js";
import { makeDiff } from "../../src/chat/diff.js";
import { decide } from "../../src/chat/diffDecision.js";
import { Permissions } from "../../src/chat/permissions.js";
import { decided, readDecision } from "../../src/chat/permissionWords.js";
import { SharedTurnReader } from "../../src/chat/sharedTurns.js";
import { readFromView } from "../../src/shared/fromView.js";
import { changeNumbers } from "../../src/webview/text/changeNumbers.js";
import { Desk, standIn } from "./desk.js";

/** Returns the part for a change from one text to another. */
function part(oldText: string | undefined, newText: string): Part {
  const rest = { path: "/b", oldText: "a\nb\nc\n", newText: "A\nb\nC\n" };
  const content = [{ type: "diff" as const, path: "/a", newText, ...(oldText === undefined ? {} : { oldText }) }, { type: "diff" as const, ...rest }];
  const [first] = partsOf({ sessionId: "s", options: [], toolCall: { toolCallId: "c", content }, _meta: { "turnwire.dev/partial": true } });
  return first ?? assert.fail("nothing can be refused");
}

test("each change can be refused, and the other lines stay as they are", () => {
  const change = part("a\nb\nc\nd\n", "A\nb\nC\nC2\nd\n");
  assert.equal(change.changes, 2);
  assert.equal(textWithout(change, []), "A\nb\nC\nC2\nd\n");
  assert.equal(textWithout(change, [0]), "a\nb\nC\nC2\nd\n");
  assert.equal(textWithout(change, [1]), "A\nb\nc\nd\n");
  assert.equal(textWithout(change, [0, 1]), "a\nb\nc\nd\n");
  assert.equal(textWithout(part(undefined, "a\n"), [0]), "");
  assert.equal(textWithout(part("a\nb\n", "b\n"), [0]), "a\nb\n");
  assert.equal(textWithout(part("", "a"), []), "a");
});

test("line ends of other lines don't change, and missing ones join no lines", () => {
  assert.equal(textWithout(part("a\r\nb\r\nc\r\nd\r\n", "A\r\nb\r\nc\r\nD\r\n"), [1]), "A\r\nb\r\nc\r\nd\r\n");
  assert.equal(textWithout(part("a\r\nb\r\nc\r\n", "A\nb\nC\n"), [1]), "A\nb\r\nc\r\n");
  assert.equal(textWithout(part("a\nb\nc", "A\nb\nc\nd"), [0]), "a\nb\nc\nd");
  assert.equal(textWithout(part("a\nb\nc", "A\nb\nc\nd"), [1]), "A\nb\nc");
  assert.equal(textWithout(part("a\nb\nc", "A\nb"), [1]), "A\nb\nc");
  assert.equal(textWithout(part("a\r\nb\r\nc", "A\r\nb\r\nc\r\nd"), [0]), "a\r\nb\r\nc\r\nd");
});

test("the view and the chat number the changes in the same way", () => {
  let seed = 7;
  const random = (n: number): number => (seed = (seed * 48_271) % 2_147_483_647) % n;
  for (let round = 0; round < 300; round++) {
    const old = Array.from({ length: random(30) }, () => `${random(4)}\n`);
    const next = old.flatMap((line) => (random(6) > 0 ? [line] : random(2) > 0 ? [] : [`new ${random(9)}\n`, line]));
    const change = part(old.join(""), next.join(""));
    const numbers = changeNumbers(makeDiff("/a", change.oldText, change.newText).lines).filter((number) => number !== undefined);
    assert.deepEqual([...new Set(numbers)], Array.from({ length: change.changes }, (_, i) => i));
    const all = Array.from({ length: change.changes }, (_, i) => i);
    assert.equal(textWithout(change, []), change.newText);
    assert.equal(textWithout(change, all), change.oldText);
    // Refusing one change and then the others is refusing all.
    const some = all.filter(() => random(2) > 0);
    const left = textWithout(change, some);
    const rest = part(change.oldText, left);
    assert.ok(rest.changes <= all.length - some.length);
    assert.equal(textWithout(rest, Array.from({ length: rest.changes }, (_, i) => i)), change.oldText);
  }
});

const before = "one\ntwo\nthree\nfour\n";
const edit = "/write notes.txt 1\\ntwo\\nthree\\n4\\n";

test("a refused change is not written, and the agent is told", () =>
  Desk.use({ files: { "notes.txt": before } }, async (desk) => {
    const path = desk.path("notes.txt");
    const turn = desk.prompt(edit);
    const { permission } = await desk.view.asks();
    const { requestId } = permission;
    assert.deepEqual(permission.parts, [{ path, changes: 2, refused: [] }]);
    for (const [change, refused] of [[0, true], [1, true], [1, true], [0, false]] as const) await desk.say({ type: "refuse", requestId, path, change, refused });
    assert.deepEqual((await desk.view.asks()).permission.parts, [{ path, changes: 2, refused: [1] }]);
    await desk.say({ type: "permission", requestId, optionId: "allow_once" });
    await turn;
    assert.equal(await readFile(path, "utf8"), "1\ntwo\nthree\nfour\n");
    const [call] = desk.view.calls;
    assert.equal(call?.decision, "Allowed 1 of 2 changes");
    assert.equal(call?.status, "completed");
    assert.deepEqual(call?.content.map((c) => (c.type === "diff" ? c.newText : c.type)), ["1\ntwo\nthree\nfour\n", "text"]);
    const [, result] = call?.content ?? [];
    assert.match(result?.type === "text" ? result.text : "", /The user refused the rest[^]*\n-four\n\+4\n/);
    const [changes] = desk.view.all("changes");
    assert.deepEqual(changes?.files.map(({ added, removed }) => [added, removed]), [[1, 1]]);
    await desk.reload();
    assert.equal(desk.view.calls[0]?.decision, "Allowed in part");
  }));

test("what is refused can't be allowed in another way", () =>
  Desk.use({ files: { "notes.txt": before } }, async (desk) => {
    const path = desk.path("notes.txt");
    const turn = desk.prompt(edit);
    const { id, content, permission } = await desk.view.asks();
    const { requestId } = permission;
    const refuse = (change: number, of = path) => desk.say({ type: "refuse", requestId, path: of, change, refused: true });
    const pending = () => desk.host.conversation.requests.permissions.of(id);
    await refuse(2);
    await refuse(0, `${path}x`);
    await desk.say({ type: "refuse", requestId: `${requestId}0`, path, change: 0, refused: true });
    assert.deepEqual(pending()?.parts, [{ path, changes: 2, refused: [] }]);
    await refuse(0);
    await desk.say({ type: "permission", requestId, optionId: "allow_always" });
    const [diff] = content;
    assert.ok(diff?.type === "diff");
    assert.equal(decide(desk.host.conversation, { chatId: "", toolCallId: id, diff, index: 0, title: "" }, "allow_once"), false, "the diff editor shows the refused change, too");
    await refuse(1);
    await desk.say({ type: "permission", requestId, optionId: "allow_once" });
    assert.ok(pending(), "something answered it");
    assert.equal(await readFile(path, "utf8"), before);
    await desk.say({ type: "permission", requestId, optionId: "reject_once" });
    await turn;
    assert.equal(await readFile(path, "utf8"), before);
    assert.equal(desk.view.calls[0]?.decision, "Rejected");
  }));

test("malformed messages refuse nothing", () => {
  const valid = { type: "refuse", requestId: "r", path: "/a", change: 0, refused: true };
  assert.deepEqual(readFromView(valid), valid);
  for (const wrong of [{ change: -1 }, { change: "0" }, { change: 0.5 }, { path: 1 }, { refused: 1 }, { requestId: null }]) {
    assert.equal(readFromView({ ...valid, ...wrong }), undefined);
  }
});

test("a file that changed meanwhile is left alone", () =>
  Desk.use({ files: { "notes.txt": before } }, async (desk) => {
    const path = desk.path("notes.txt");
    const turn = desk.prompt(edit);
    const { permission } = await desk.view.asks();
    const { requestId } = permission;
    await writeFile(path, "mine\n");
    await desk.say({ type: "refuse", requestId, path, change: 1, refused: true });
    await desk.say({ type: "permission", requestId, optionId: "allow_once" });
    await turn;
    assert.equal(await readFile(path, "utf8"), "mine\n");
    assert.equal(desk.view.calls[0]?.status, "failed");
  }));

test("a single change, and an agent that writes by itself, offer no parts", async () => {
  await Desk.use({ files: { "notes.txt": before } }, async (desk) => {
    const turn = desk.prompt("/edit notes.txt two => 2");
    const { permission } = await desk.view.asks();
    assert.equal(permission.parts, undefined);
    await desk.say({ type: "permission", requestId: permission.requestId, optionId: "reject_once" });
    await turn;
  });
  await Desk.use({ agent: standIn("bad", "changes what it asks") }, async (desk) => {
    const turn = desk.prompt("go");
    const { permission } = await desk.view.asks();
    assert.equal(permission.parts, undefined);
    await desk.say({ type: "cancel" });
    await turn;
  });
});

test("a part that was allowed elsewhere is shown as such", () => {
  const reader = new SharedTurnReader();
  const resolved = (meta?: object) =>
    reader.read({
      jsonrpc: "2.0", method: "session/update",
      params: { update: { sessionUpdate: "permission_resolved", toolCallId: "c", outcome: "selected", optionId: "yes", resolvedBy: { name: "phone" }, _meta: meta } },
    });
  assert.deepEqual(resolved().map((message) => "params" in message && message.params), [{ toolCallId: "c", optionId: "yes", from: "phone" }]);
  assert.deepEqual(resolved({ "turnwire.dev/partial": true }).map((message) => "params" in message && message.params), [{ toolCallId: "c", optionId: "yes", from: "phone", partial: true }]);
  assert.equal(decided({ kind: "allow_once", name: "Allow" }, "phone", true), "Allowed in part, from phone");
  const saved = { verdict: "allow", option: "allow_once", optionName: "Allow", by: "user" };
  assert.deepEqual(readDecision({ ...saved, partial: true }), { words: "Allowed in part", partly: true });
  assert.deepEqual(readDecision({ ...saved, partial: "true" }), { words: "Allowed" });
});

test("an answer from elsewhere replaces one that came too late, also if only one of them was a part", async () => {
  const shown: string[] = [];
  const content = [makeDiff("/a", "a\nb\nc\n", "A\nb\nC\n")];
  const permissions = new Permissions({
    show: (_, { decision }) => void (decision && shown.push(decision.words)),
    asked: () => {}, settled: () => {}, content: () => content,
  });
  const options = [{ optionId: "yes", name: "Allow", kind: "allow_once" as const }];
  const { path, oldText, newText } = content[0] ?? assert.fail();
  const answer = permissions.ask(
    { sessionId: "s", options, toolCall: { toolCallId: "c", content: [{ type: "diff", path, newText, ...(oldText === undefined ? {} : { oldText }) }] }, _meta: { "turnwire.dev/partial": true } },
    "", new AbortController().signal,
  );
  const { requestId } = permissions.of("c") ?? assert.fail();
  permissions.refuse(requestId, path, 0, true);
  permissions.answer(requestId, "yes");
  const elsewhere = { toolCallId: "c", optionId: "yes", from: "phone" };
  permissions.decidedElsewhere({ ...elsewhere, partial: true });
  permissions.decidedElsewhere(elsewhere);
  assert.deepEqual(shown, ["Allowed 1 of 2 changes", "Allowed, from phone"]);
  assert.deepEqual(await answer, { outcome: { outcome: "selected", optionId: "yes" }, _meta: { "turnwire.dev/accepted": [{ path, newText: "a\nb\nC\n" }] } });
});
