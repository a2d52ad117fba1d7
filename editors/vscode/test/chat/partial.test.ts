/** A change of which the user accepts a part. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { test } from "node:test";

import { accepted, partsOf, textWithout, type Part } from "../../src/chat/changeParts.js";
import { makeDiff } from "../../src/chat/diff.js";
import { readFromView } from "../../src/shared/fromView.js";
import type { RefusedChanges } from "../../src/shared/model.js";
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

test("only some of the existing changes can be refused", () => {
  const parts = [part("a\nb\nc\n", "A\nb\nC\n"), { ...part("x\n", "y\n"), path: "/b" }];
  const refuse = (...refused: RefusedChanges[]) => accepted(parts, refused);
  assert.deepEqual(refuse({ path: "/a", changes: [1] }), { left: 2, all: 3 });
  assert.deepEqual(refuse({ path: "/a", changes: [1, 0] }), { left: 1, all: 3 });
  assert.equal(refuse({ path: "/a", changes: [1, 0] }, { path: "/b", changes: [0] }), undefined);
  assert.equal(refuse({ path: "/a", changes: [2] }), undefined);
  assert.equal(refuse({ path: "/a", changes: [1, 1] }), undefined);
  assert.equal(refuse({ path: "/a", changes: [0] }, { path: "/a", changes: [1] }), undefined);
  assert.equal(refuse({ path: "/c", changes: [0] }), undefined);
  assert.equal(refuse({ path: "/a", changes: [] }), undefined);
});

const before = "one\ntwo\nthree\nfour\n";
const edit = "/write notes.txt 1\\ntwo\\nthree\\n4\\n";

test("a refused change is not written, and the agent is told", () =>
  Desk.use({ files: { "notes.txt": before } }, async (desk) => {
    const path = desk.path("notes.txt");
    const turn = desk.prompt(edit);
    const { permission } = await desk.view.asks();
    assert.deepEqual(permission.parts, [{ path, changes: 2 }]);
    await desk.say({ type: "permission", requestId: permission.requestId, optionId: "allow_once", refused: [{ path, changes: [1] }] });
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

test("no unlawful refusal answers a request", () =>
  Desk.use({ files: { "notes.txt": before } }, async (desk) => {
    const path = desk.path("notes.txt");
    const turn = desk.prompt(edit);
    const { permission } = await desk.view.asks();
    const { requestId } = permission;
    const refuse = (optionId: string, refused: RefusedChanges[]) => desk.say({ type: "permission", requestId, optionId, refused });
    await refuse("allow_always", [{ path, changes: [1] }]);
    await refuse("reject_once", [{ path, changes: [1] }]);
    await refuse("allow_once", [{ path, changes: [0, 1] }]);
    await refuse("allow_once", [{ path, changes: [2] }]);
    await refuse("allow_once", [{ path: `${path}x`, changes: [0] }]);
    for (const refused of [null, {}, [null], [{ path }], [{ path, changes: [-1] }], [{ path, changes: ["0"] }]]) {
      assert.equal(readFromView({ type: "permission", requestId, optionId: "allow_once", refused }), undefined);
    }
    assert.equal(desk.view.calls[0]?.permission?.requestId, requestId, "something answered it");
    assert.equal(await readFile(path, "utf8"), before);
    await desk.say({ type: "permission", requestId, optionId: "reject_once" });
    await turn;
    assert.equal(await readFile(path, "utf8"), before);
  }));

test("a file that changed meanwhile is left alone", () =>
  Desk.use({ files: { "notes.txt": before } }, async (desk) => {
    const path = desk.path("notes.txt");
    const turn = desk.prompt(edit);
    const { permission } = await desk.view.asks();
    await writeFile(path, "mine\n");
    await desk.say({ type: "permission", requestId: permission.requestId, optionId: "allow_once", refused: [{ path, changes: [1] }] });
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
