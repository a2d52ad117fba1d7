import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { test } from "node:test";

import type { Changes } from "../../src/shared/model.js";
import { Desk, standIn } from "./desk.js";

const changes = (desk: Desk): Changes => desk.view.all("changes").at(-1) ?? assert.fail("there is no line of changes");
const counts = (desk: Desk) => changes(desk).files.map(({ label, added, removed, created }) => [label, added, removed, created]);
const onDisk = (desk: Desk, name: string): Promise<string> => readFile(desk.path(name), "utf8");
const undo = (desk: Desk): Promise<void> => desk.say({ type: "undoChanges", id: changes(desk).id });

/** Changes one file and creates another, in one turn. */
const changed = (desk: Desk): Promise<void> => allowed(desk, "/append notes.txt three", "/write made.txt new");

/** Runs a turn and allows each of its commands. */
async function allowed(desk: Desk, ...commands: string[]): Promise<void> {
  const turn = desk.prompt(commands.join("\n"));
  for (const _ of commands) {
    const { permission } = await desk.view.asks();
    const allow = permission.options.find(({ kind }) => kind === "allow_once") ?? assert.fail();
    await desk.say({ type: "permission", requestId: permission.requestId, optionId: allow.id });
  }
  await turn;
}
const files = { "notes.txt": "one\ntwo\n" };

test("a turn's changes are counted, shown and undone", () =>
  Desk.use({ files }, async (desk) => {
    await changed(desk);
    assert.deepEqual(counts(desk), [["notes.txt", 1, 0, false], ["made.txt", 1, 0, true]]);
    assert.deepEqual(desk.view.items.at(-1)?.type, "changes");
    await desk.say({ type: "reviewChanges", id: changes(desk).id });
    const made = await onDisk(desk, "made.txt");
    assert.deepEqual(desk.editor.reviews, [[
      { path: desk.path("notes.txt"), before: "one\ntwo\n", after: "one\ntwo\nthree\n", onDisk: true },
      { path: desk.path("made.txt"), before: null, after: made, onDisk: true },
    ]]);
    await undo(desk);
    assert.deepEqual(desk.editor.questions, [], "nothing was changed since");
    assert.equal(await onDisk(desk, "notes.txt"), "one\ntwo\n");
    assert.deepEqual(desk.editor.trashed, [desk.path("made.txt")]);
    assert.equal(changes(desk).undone, "The changes to all 2 files were undone.");
    assert.equal(changes(desk).undo, false);
  }));

test("a file that a turn changes twice has the same counts live and played back", () =>
  Desk.use({ files }, async (desk) => {
    await allowed(desk, "/append notes.txt three", "/write made.txt new", "/write notes.txt one", "/write made.txt other");
    const live = counts(desk);
    assert.deepEqual(live, [["notes.txt", 0, 1, false], ["made.txt", 1, 0, true]]);
    await desk.reload();
    assert.deepEqual(counts(desk), live);
  }));

test("undo asks before it overwrites a file that changed since", () =>
  Desk.use({ files }, async (desk) => {
    await changed(desk);
    await writeFile(desk.path("notes.txt"), "mine\n");
    desk.editor.yes = false;
    await undo(desk);
    assert.match(desk.editor.questions[0] ?? "", /notes\.txt: it changed after the turn/);
    assert.equal(await onDisk(desk, "notes.txt"), "mine\n");
    assert.ok(!existsSync(desk.path("made.txt")));
    assert.equal(changes(desk).undone, "1 of 2 undone.\nnotes.txt was not restored: it changed after the turn.");
    assert.equal(changes(desk).undo, true);
    desk.editor.yes = true;
    await undo(desk);
    assert.equal(await onDisk(desk, "notes.txt"), "one\ntwo\n");
    assert.equal(changes(desk).undone, "The changes to all 2 files were undone.");
  }));

test("the user's unsaved changes count as later changes", () =>
  Desk.use({ files }, async (desk) => {
    await changed(desk);
    desk.editor.buffers.set(desk.path("notes.txt"), "unsaved\n");
    desk.editor.yes = false;
    await undo(desk);
    assert.equal(desk.editor.buffers.get(desk.path("notes.txt")), "unsaved\n");
  }));

test("a turn without lasting changes has no summary line", () =>
  Desk.use({ files }, async (desk) => {
    await desk.prompt("/say Hello.\n/read notes.txt");
    const turn = desk.prompt("/append notes.txt three");
    const { permission } = await desk.view.asks();
    const reject = permission.options.find(({ kind }) => kind === "reject_once") ?? assert.fail();
    await desk.say({ type: "permission", requestId: permission.requestId, optionId: reject.id });
    await turn;
    assert.deepEqual(desk.view.all("changes"), []);
  }));

/** Runs a turn of the stand-in and allows its requests. */
async function edits(desk: Desk, ...all: [how: "seen" | "told" | "claims", path: string, oldText: string, newText: string][]): Promise<void> {
  await desk.prompt(JSON.stringify(all), all[0]?.[0] === "seen" ? "yes" : undefined);
}

test("undo restores a file that the agent itself wrote", () =>
  Desk.use({ agent: standIn("edits"), files }, async (desk) => {
    const path = desk.path("notes.txt");
    await edits(desk, ["seen", path, "two", "2"]);
    assert.deepEqual(counts(desk), [["notes.txt", 1, 1, false]]);
    await undo(desk);
    assert.deepEqual(desk.editor.questions, []);
    assert.equal(await onDisk(desk, "notes.txt"), "one\ntwo\n");
  }));

test("undo asks about a change that was only reported afterwards", () =>
  Desk.use({ agent: standIn("edits"), files }, async (desk) => {
    const path = desk.path("notes.txt");
    await edits(desk, ["told", path, "two", "2"]);
    desk.editor.yes = false;
    await undo(desk);
    assert.match(desk.editor.questions[0] ?? "", /only the agent reported/);
    assert.equal(await onDisk(desk, "notes.txt"), "one\n2\n");
    desk.editor.yes = true;
    await undo(desk);
    assert.equal(await onDisk(desk, "notes.txt"), "one\ntwo\n");
  }));

test("false claims about files, and files outside the workspace, are not undone", () =>
  Desk.use({ agent: standIn("edits"), files }, async (desk) => {
    const outside = `${desk.folder}/outside.txt`;
    await writeFile(outside, "2\n");
    await edits(desk, ["claims", desk.path("notes.txt"), "evil", "absent"], ["claims", outside, "evil\n", "2\n"]);
    await undo(desk);
    assert.equal(await onDisk(desk, "notes.txt"), "one\ntwo\n");
    assert.equal(await readFile(outside, "utf8"), "2\n");
    assert.match(changes(desk).undone ?? "", /^0 of 2 undone\.\nnotes\.txt was not restored: it changed after the turn, and its earlier content is unknown\.\n.*outside\.txt was not restored: it cannot be read\.$/);
    await rm(outside);
  }));

test("a replayed chat shows its counts but no undo", () =>
  Desk.use({ files }, async (desk) => {
    await changed(desk);
    await desk.prompt("/say Done.");
    const before = desk.view.all("changes").map(({ files: shown }) => shown);
    await desk.reload();
    assert.deepEqual(desk.view.all("changes").map(({ files: shown }) => shown), before);
    const at = desk.view.items.findIndex(({ type }) => type === "changes");
    assert.equal(desk.view.items[at + 1]?.type, "user");
    assert.equal(changes(desk).undo, false);
  }));
