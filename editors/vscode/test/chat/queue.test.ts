import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { Desk, standIn } from "./desk.js";

const texts = (desk: Desk): string[] => desk.view.queue.prompts.map(({ text }) => text);
const said = (desk: Desk): string[] => desk.view.all("user").map(({ text }) => text);
const queue = (desk: Desk, ...prompts: string[]): Promise<void[]> =>
  Promise.all(prompts.map((text) => desk.say({ type: "prompt", text, attachments: [] })));
const idOf = (desk: Desk, text: string): string => desk.view.queue.prompts.find((prompt) => prompt.text === text)?.id ?? assert.fail(text);

/**
 * Starts a turn that waits for the user, and returns a function that lets it
 * end.
 */
async function waiting(desk: Desk): Promise<{ over: Promise<unknown>; allow: () => Promise<void> }> {
  const over = desk.prompt("/run echo first");
  const { permission } = await desk.view.asks();
  const allow = permission.options.find(({ kind }) => kind === "allow_once") ?? assert.fail();
  return { over, allow: () => desk.say({ type: "permission", requestId: permission.requestId, optionId: allow.id }) };
}

test("prompts typed during a turn are sent in order after it", () =>
  Desk.use({}, async (desk) => {
    const { over, allow } = await waiting(desk);
    await queue(desk, "/say Second.", "/say Third.");
    assert.deepEqual(texts(desk), ["/say Second.", "/say Third."]);
    assert.deepEqual(said(desk), ["/run echo first"]);
    await allow();
    await over;
    assert.deepEqual(said(desk), ["/run echo first", "/say Second.", "/say Third."]);
    assert.match(desk.view.text, /Second\.[^]*Third\./);
    assert.deepEqual(desk.view.queue, { prompts: [] });
    assert.equal(desk.view.session.status, "idle");
  }));

test("a queued prompt can be removed or edited", () =>
  Desk.use({}, async (desk) => {
    const { over, allow } = await waiting(desk);
    await queue(desk, "/say One.", "/say Two.");
    await desk.say({ type: "removeQueued", id: idOf(desk, "/say One.") });
    await desk.say({ type: "editQueued", id: idOf(desk, "/say Two.") });
    assert.deepEqual(desk.messages("draft"), [{ type: "draft", text: "/say Two.", attachments: [] }]);
    assert.deepEqual(texts(desk), []);
    await allow();
    await over;
    assert.deepEqual(said(desk), ["/run echo first"]);
  }));

test("a prompt that cannot be edited stays in the queue", () =>
  Desk.use({}, async (desk) => {
    const { over, allow } = await waiting(desk);
    await queue(desk, "/say One.");
    const id = idOf(desk, "/say One.");
    desk.host.attach(() => {}); // a view that is not ready
    await desk.host.receive({ type: "editQueued", id });
    assert.equal(desk.host.conversation.queue.shown.prompts.length, 1);
    desk.host.attach((message) => desk.view.take(message));
    await desk.ready();
    await allow();
    await over;
    assert.deepEqual(said(desk), ["/run echo first", "/say One."]);
  }));

test("a cancel holds the queue, and only newly typed prompts are sent", () =>
  Desk.use({}, async (desk) => {
    const { over } = await waiting(desk);
    await queue(desk, "/say Later.");
    await desk.say({ type: "cancel" });
    await over;
    assert.equal(desk.view.queue.held, "cancelled");
    await desk.prompt("/say Between.");
    assert.deepEqual(said(desk), ["/run echo first", "/say Between."]);
    assert.deepEqual(texts(desk), ["/say Later."]);
    await desk.say({ type: "resumeQueue" });
    assert.deepEqual(said(desk).at(-1), "/say Later.");
    assert.deepEqual(desk.view.queue, { prompts: [] });
  }));

test("sending a prompt now cancels the turn, and the others follow", () =>
  Desk.use({}, async (desk) => {
    const { over } = await waiting(desk);
    await queue(desk, "/say Second.", "/say Now.");
    await desk.say({ type: "sendQueued", id: idOf(desk, "/say Now.") });
    await over;
    assert.deepEqual(said(desk), ["/run echo first", "/say Now.", "/say Second."]);
    assert.equal(desk.view.calls[0]?.status, "cancelled");
    assert.deepEqual(desk.view.queue, { prompts: [] });
  }));

test("sending a prompt now during a cancel does not end the agent", () =>
  Desk.use({}, async (desk) => {
    const { over } = await waiting(desk);
    await queue(desk, "/say Now.");
    const { live } = desk.host.conversation;
    desk.host.conversation.cancel();
    await desk.say({ type: "sendQueued", id: idOf(desk, "/say Now.") });
    await over;
    assert.equal(desk.host.conversation.live, live);
    assert.deepEqual(said(desk).at(-1), "/say Now.");
  }));

test("a window that closes does not write the queue, which another one may have stored", () =>
  Desk.use({}, async (desk) => {
    const { over } = await waiting(desk);
    await queue(desk, "/say Later.");
    const file = join(desk.folder, "storage", "queue.json");
    await writeFile(file, "{}");
    await desk.host.close();
    await over;
    assert.equal(await readFile(file, "utf8"), "{}");
  }));

test("a failure holds the queue", () =>
  Desk.use({ agent: standIn("bad", "asks and fails") }, async (desk) => {
    const turn = desk.prompt("go");
    const { permission } = await desk.view.asks();
    await queue(desk, "after");
    await desk.say({ type: "permission", requestId: permission.requestId, optionId: "yes" });
    await turn;
    assert.equal(desk.view.queue.held, "failed");
    assert.deepEqual(texts(desk), ["after"]);
    assert.deepEqual(said(desk), ["go"]);
  }));

test("the queue survives a reload of the view, and goes on while another chat is open", () =>
  Desk.use({}, async (desk) => {
    await desk.prompt("/say Begin.");
    const { over } = await waiting(desk);
    await queue(desk, "/say Later.");
    await desk.ready();
    assert.deepEqual(texts(desk), ["/say Later."]);
    const { conversation } = desk.host;
    const { permission } = await desk.view.asks();
    await desk.host.newSession();
    assert.deepEqual(texts(desk), []);
    conversation.requests.permissions.answer(permission.requestId, "reject_once");
    await over;
    await desk.say({ type: "openSession", id: conversation.sessionId ?? "" });
    assert.deepEqual(texts(desk), []);
    assert.equal(said(desk).at(-1), "/say Later.");
  }));

test("a message is sent again with what went along, and during a turn it is queued", () =>
  Desk.use({ agent: standIn("full", "echo"), files: { "notes.txt": "one\n" } }, async (desk) => {
    const attachments = [{ kind: "file" as const, label: "notes.txt", uri: `file://${desk.path("notes.txt")}` }];
    await desk.say({ type: "prompt", text: "Look.", attachments });
    const first = desk.view.text;
    assert.match(first, /one/);
    const id = desk.view.all("user")[0]?.id ?? assert.fail();
    await desk.say({ type: "prompt", text: "Between.", attachments: [] });
    const turn = desk.say({ type: "prompt", text: "Another.", attachments: [] });
    const again = desk.say({ type: "retry", id });
    assert.equal(desk.host.conversation.queue.shown.prompts[0]?.text, "Look.");
    await Promise.all([turn, again]);
    assert.deepEqual(said(desk), ["Look.", "Between.", "Another.", "Look."]);
    assert.ok(desk.view.text.endsWith(first));
    assert.deepEqual(desk.view.all("user").at(-1)?.attachments, attachments);
    await desk.say({ type: "retry", id: "no such message" });
    assert.equal(said(desk).length, 4);
  }));

test("the queue survives a reload of the window, and waits", () =>
  Desk.use({}, async (desk) => {
    await desk.prompt("/say Begin.");
    const { over } = await waiting(desk);
    await queue(desk, "/say Later.", "/say Latest.");
    await desk.reload();
    await over;
    assert.deepEqual(texts(desk), ["/say Later.", "/say Latest."]);
    assert.equal(desk.view.queue.held, "left");
    await desk.say({ type: "resumeQueue" });
    assert.deepEqual(said(desk).slice(-2), ["/say Later.", "/say Latest."]);
    await desk.reload();
    assert.deepEqual(texts(desk), []);
  }));

test("a saved queue may be invalid or belong to another chat", () =>
  Desk.use({}, async (desk) => {
    await desk.prompt("/say Begin.");
    const chatId = desk.host.conversation.id;
    const file = join(desk.folder, "storage", "queue.json");
    const prompts = [7, null, { text: 3 }, { text: "one", attachments: "x" }, { text: "two", attachments: [{ kind: "script" }] }, { text: "kept", attachments: [] }];
    for (const [kept, expected] of [["{ broken", []], ["7", []], [JSON.stringify({ chats: [["other", prompts]] }), []], [JSON.stringify({ chats: [7, [chatId, 7]] }), []], [JSON.stringify({ chats: [[chatId, prompts]] }), ["kept"]]] as const) {
      await writeFile(file, kept);
      await desk.reload();
      assert.deepEqual(texts(desk), expected);
    }
  }));
