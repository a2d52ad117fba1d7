import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import type { UserMessage } from "../../src/shared/model.js";
import { Desk, standIn, turnwire } from "./desk.js";

const historian = { ...turnwire, args: ["acp", "--", process.execPath, standIn("historian").args[0]!] };
const said = (desk: Desk): UserMessage[] => desk.view.all("user");
const heard = (desk: Desk): string[] => desk.view.all("message").map(({ text }) => text);
const onDisk = (desk: Desk, name: string): Promise<string> => readFile(desk.path(name), "utf8");
const at = (desk: Desk, index: number): string => said(desk)[index]?.id ?? assert.fail();
const drafts = (desk: Desk) => desk.messages("draft").map((m) => (m.type === "draft" ? m.text : ""));

test("a new chat goes on from before a message, with the message as its draft", () =>
  Desk.use({ agent: historian }, async (desk) => {
    for (const text of ["one", "two", "three"]) await desk.prompt(text);
    const [before, old] = [desk.view.items, desk.host.conversation.sessionId];
    await desk.say({ type: "rewind", id: at(desk, 1), undo: false });
    assert.deepEqual(desk.editor.told, []);
    assert.deepEqual(drafts(desk), ["two"]);
    assert.deepEqual(said(desk).map(({ text }) => text), ["one"]);
    await desk.prompt("other");
    assert.equal(heard(desk).at(-1), "Before: one.");
    assert.equal(said(desk).filter(({ cursor }) => cursor !== undefined).length, 2, "it can be forked again");

    assert.equal(desk.view.session.title, "one (2)");
    await desk.say({ type: "listSessions" });
    const listed = desk.messages("sessions").flatMap((m) => (m.type === "sessions" ? m.sessions.map(({ title }) => title) : []));
    assert.deepEqual(listed.sort(), ["one", "one (2)"]);
    await desk.say({ type: "openSession", id: old ?? assert.fail() });
    assert.deepEqual(said(desk).map(({ text }) => text), ["one", "two", "three"], "the old chat stays");
    assert.equal(desk.view.items.length, before.length);
    await desk.say({ type: "rewind", id: at(desk, 0), undo: false });
    assert.deepEqual(desk.view.items, [], "a chat can begin again");
    await desk.prompt("zero");
    assert.deepEqual(heard(desk), ["Before: nothing."]);
  }));

test("going on can undo the changes of all later turns", () =>
  Desk.use({ agent: historian, files: { "notes.txt": "old\n" } }, async (desk) => {
    for (const text of ["/write notes.txt one", "/write notes.txt two", "/write made.txt three"]) await desk.prompt(text);
    await desk.say({ type: "rewind", id: at(desk, 1), undo: true });
    assert.deepEqual(desk.editor.told, []);
    assert.equal(await onDisk(desk, "notes.txt"), "one\n");
    assert.deepEqual(desk.editor.trashed, [desk.path("made.txt")]);
    assert.deepEqual(drafts(desk), ["/write notes.txt two"]);
  }));

test("without undo, files stay as they are", () =>
  Desk.use({ agent: historian, files: { "notes.txt": "old\n" } }, async (desk) => {
    await desk.prompt("/write notes.txt one");
    await desk.say({ type: "rewind", id: at(desk, 0), undo: false });
    assert.equal(await onDisk(desk, "notes.txt"), "one\n");
  }));

test("messages of an agent that can't go back have no such action", () =>
  Desk.use({}, async (desk) => {
    await desk.prompt("hello");
    assert.equal(said(desk)[0]?.cursor, undefined);
    await desk.say({ type: "rewind", id: at(desk, 0), undo: false });
    assert.deepEqual(desk.editor.told, ["The agent can't go on from this message now."]);
    assert.deepEqual(said(desk).map(({ text }) => text), ["hello"]);
  }));
