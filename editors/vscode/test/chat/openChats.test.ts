import assert from "node:assert/strict";
import { test } from "node:test";

import { Host } from "../../src/chat/host.js";
import type { ToView } from "../../src/shared/messages.js";
import { Desk, standIn, turnwire } from "./desk.js";
import { View } from "./view.js";

/** Returns the states of the window's chats, by session, as the view knows them. */
function states(desk: Desk): Record<string, string> {
  const last = desk.messages("openChats").at(-1) as Extract<ToView, { type: "openChats" }> | undefined;
  return Object.fromEntries(last?.chats.map(({ id, state }) => [id, state]) ?? []);
}

/** Starts a turn that waits for the user, and leaves its chat. */
async function leaveWaiting(desk: Desk, text = "/say Before.\n/run echo ran\n/say After.") {
  const turn = desk.say({ type: "prompt", text, attachments: [] });
  const { permission } = await desk.view.asks();
  const { chat, conversation } = desk.host;
  const id = conversation.sessionId ?? assert.fail();
  await desk.say({ type: "newSession" });
  return { turn, chat, id, permission };
}

test("a chat that is left goes on, and coming back shows everything", () =>
  Desk.use({}, async (desk) => {
    const { turn, chat, id, permission } = await leaveWaiting(desk);
    assert.deepEqual([desk.view.items, states(desk)[id]], [[], "waiting"]);
    const { live } = chat.conversation;
    chat.conversation.requests.permissions.answer(permission.requestId, "allow_once");
    assert.equal(states(desk)[id], "running");
    await turn;
    assert.equal(states(desk)[id], "done");
    await desk.prompt("/say Elsewhere.");
    await desk.say({ type: "openSession", id });
    assert.match(desk.view.text, /Before\..*After\./s);
    assert.match(JSON.stringify(desk.view.calls), /ran/);
    assert.equal(states(desk)[id], "open");
    await desk.prompt("/say Again.");
    assert.equal(desk.host.conversation.live, live, "the agent was started again");
    assert.deepEqual(desk.view.all("notice"), []);
  }));

test("the list shows busy chats first, also those of other agents", () =>
  Desk.use({ agents: { workspace: turnwire, echo: standIn("full", "echo") } }, async (desk) => {
    const { turn, chat, id } = await leaveWaiting(desk, "/run echo first");
    await desk.prompt("/say Second.");
    await desk.say({ type: "listSessions" });
    const entries = () => {
      const pages = desk.messages("sessions") as Extract<ToView, { type: "sessions" }>[];
      return pages.slice(pages.findLastIndex(({ first }) => first)).flatMap(({ sessions }) => sessions);
    };
    assert.deepEqual(entries().map(({ title, state, agent }) => [title, state, agent]), [["/run echo first", "waiting", undefined], ["/say Second.", "open", undefined]]);
    await desk.say({ type: "newSession", agent: "echo" });
    await desk.prompt("hello");
    await desk.say({ type: "listSessions" });
    assert.deepEqual(entries().slice(0, 1).map(({ title, state, agent }) => [title, state, agent]), [["/run echo first", "waiting", "workspace"]]);
    await desk.say({ type: "openSession", id });
    assert.equal(desk.host.chat, chat);
    await desk.say({ type: "cancel" });
    await turn;
  }));

test("an empty chat keeps its id and so its draft when the user chooses another agent", () =>
  Desk.use({ agents: { workspace: turnwire, echo: standIn("full", "echo") } }, async (desk) => {
    const { id } = desk.host.conversation;
    await desk.say({ type: "newSession", agent: "echo" });
    assert.equal(desk.host.conversation.id, id);
    await desk.prompt("hello");
    assert.equal(desk.view.session.agent, "echo");
    await desk.say({ type: "newSession", agent: "workspace" });
    assert.notEqual(desk.host.conversation.id, id, "a chat with messages stays as it is");
  }));

test("a chat of an agent that saves nothing comes back while its agent runs", () =>
  Desk.use({ agents: { echo: standIn("full", "echo") } }, async (desk) => {
    await desk.prompt("one");
    const id = desk.host.conversation.sessionId ?? assert.fail();
    await desk.say({ type: "newSession" });
    await desk.say({ type: "listSessions" });
    const [page] = desk.messages("sessions") as Extract<ToView, { type: "sessions" }>[];
    assert.deepEqual(page?.sessions.map(({ title }) => title), ["one"]);
    await desk.say({ type: "openSession", id });
    assert.deepEqual(desk.view.all("user").map(({ text }) => text), ["one"]);
  }));

test("only some idle agents stay, and their chats reopen from the saved session", () =>
  Desk.use({}, async (desk) => {
    const ids: string[] = [];
    for (let n = 0; n < 6; n++) {
      await desk.prompt(`/say ${n}.`);
      ids.push(desk.host.conversation.sessionId ?? assert.fail());
      await desk.say({ type: "newSession" });
    }
    assert.deepEqual(desk.host.chats.all.flatMap(({ conversation }) => conversation.sessionId ?? []), ids.slice(2));
    await desk.say({ type: "listSessions" });
    await desk.say({ type: "openSession", id: ids[0] ?? "" });
    assert.match(desk.view.text, /^0\./);
    assert.deepEqual(desk.view.all("notice"), []);
  }));

test("an idle agent ends after a while, and its chat keeps its drafts", async (t) => {
  await Desk.use({}, async (desk) => {
    await desk.prompt("/say One.");
    const first = desk.host.chat;
    await desk.say({ type: "newSession" });
    await desk.prompt("/say Two.");
    const { id: chatId, sessionId: id = "" } = desk.host.conversation;
    t.mock.timers.enable({ apis: ["setTimeout"] });
    desk.host.show(first);
    t.mock.timers.tick(14 * 60_000);
    assert.ok(desk.host.chats.ofSession(id));
    t.mock.timers.tick(60_000);
    assert.equal(desk.host.chats.ofSession(id), undefined);
    t.mock.timers.reset();
    await desk.say({ type: "listSessions" });
    await desk.say({ type: "openSession", id });
    assert.match(desk.view.text, /^Two\./);
    assert.equal(desk.view.session.chatId, chatId);
  });
});

test("two views show the same chat, and either answers for both", () =>
  Desk.use({}, async (desk) => {
    const view = new View();
    const second = new Host({ ...desk.options(), memory: { read: () => undefined, write: () => {} }, chats: desk.host.chats, first: desk.host.chat });
    second.attach((message) => view.take(message));
    await second.receive({ type: "ready" });
    const turn = desk.say({ type: "prompt", text: "/run echo ran", attachments: [] });
    const { permission } = await view.asks();
    await second.receive({ type: "permission", requestId: permission.requestId, optionId: "allow_once" });
    await turn;
    second.flush();
    assert.deepEqual(view.items, desk.view.items);
    await desk.say({ type: "newSession" });
    assert.notEqual(view.session.chatId, desk.view.session.chatId);
    const id = second.conversation.sessionId ?? assert.fail();
    await desk.say({ type: "deleteSession", id });
    assert.deepEqual([view.items, second.conversation.sessionId], [[], undefined], "a deleted chat is still shown");
    second.leave();
  }));
