import assert from "node:assert/strict";
import { test } from "node:test";

import { Desk, standIn } from "./desk.js";

const idOf = (desk: Desk, text: string): string => desk.view.queue.prompts.find((prompt) => prompt.text === text)?.id ?? assert.fail(text);
const said = (desk: Desk): string[] => desk.view.all("user").map(({ text }) => text);
const queue = (desk: Desk, text: string): Promise<void> => desk.say({ type: "prompt", text, attachments: [] });
const sendNow = (desk: Desk, text: string): Promise<void> => desk.say({ type: "sendQueued", id: idOf(desk, text) });
const cooking = (run: (desk: Desk, over: Promise<unknown>) => Promise<void>): Promise<void> =>
  Desk.use({ agent: standIn("full", "steers") }, async (desk) => {
    const over = desk.prompt("cook");
    await desk.view.until(() => desk.view.text.includes("cook"));
    await run(desk, over);
  });

test("a prompt sent now goes into the turn, at the place where the agent read it", () =>
  cooking(async (desk, over) => {
    assert.equal(desk.view.session.steers, true);
    await queue(desk, "salt");
    await queue(desk, "end");
    await sendNow(desk, "salt");
    await sendNow(desk, "end");
    await over;
    const items = desk.view.items.map((item) => (item.type === "user" || item.type === "message" ? `${item.type} ${item.text}` : item.type));
    assert.deepEqual(items, ["user cook", "message cook", "user salt", "message after salt", "user end", "message after end"]);
    assert.deepEqual(desk.view.queue, { prompts: [] });
    assert.equal(desk.view.session.status, "idle");
  }));

test("a prompt that the agent did not read in the turn follows it", () =>
  cooking(async (desk, over) => {
    for (const text of ["first", "late", "end"]) await queue(desk, text);
    const late = sendNow(desk, "late");
    await desk.view.until(() => desk.view.queue.prompts.some(({ sending }) => sending));
    await desk.say({ type: "removeQueued", id: idOf(desk, "late") });
    await sendNow(desk, "late"); // it has no effect
    assert.equal(desk.view.queue.prompts.length, 3);
    await sendNow(desk, "end");
    await Promise.all([over, late]);
    assert.deepEqual(said(desk), ["cook", "end", "late", "first"]);
    assert.deepEqual(desk.view.queue, { prompts: [] });
  }));

test("a prompt that the agent refuses during the turn stays in the queue", () =>
  cooking(async (desk, over) => {
    for (const text of ["refused", "failed", "end"]) await queue(desk, text);
    await sendNow(desk, "refused");
    assert.deepEqual(desk.view.all("notice").map(({ title, description }) => [title, description]), [
      ["The agent did not take the message during its turn. It stays in the queue.", "only text"],
    ]);
    await sendNow(desk, "failed");
    assert.equal(desk.view.all("notice").length, 2);
    assert.equal(desk.view.queue.prompts.length, 3);
    await sendNow(desk, "end");
    await over;
    assert.deepEqual(said(desk), ["cook", "end", "refused", "failed"]);
  }));

test("a cancel keeps an unread prompt in the queue, which waits", () =>
  cooking(async (desk, over) => {
    await queue(desk, "late");
    const late = sendNow(desk, "late");
    await desk.view.until(() => desk.view.queue.prompts.some(({ sending }) => sending));
    await desk.say({ type: "cancel" });
    await Promise.all([over, late]);
    assert.equal(desk.view.queue.held, "cancelled");
    assert.deepEqual(desk.view.queue.prompts.map(({ text, sending }) => [text, sending]), [["late", undefined]]);
    assert.deepEqual(said(desk), ["cook"]);
  }));
