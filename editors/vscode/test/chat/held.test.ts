/** Sessions that another process has open, such as the window's previous one. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import * as acp from "@agentclientprotocol/sdk";

import { isHeld, whenFree } from "../../src/chat/heldSession.js";
import { Desk } from "./desk.js";

const heldError = (): Error => new acp.RequestError(-32600, "the session s1 is open in process 7");

/** An agent that refuses a session until it is free. */
function refusing(t: TestContext, error: () => Error = heldError) {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const agent = { free: false, waits: 0, tries: [] as number[] };
  const closing = new AbortController();
  const open = async (): Promise<string> => {
    agent.tries.push(Date.now());
    if (agent.free) return "opened";
    throw error();
  };
  const opened = whenFree(open, { timeout: 5_000, waits: () => agent.waits++ }, closing.signal);
  opened.catch(() => {}); // tests look at it later
  return { agent, closing, opened };
}

async function pass(t: TestContext, milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 100) {
    await new Promise(setImmediate);
    t.mock.timers.tick(100);
  }
  await new Promise(setImmediate);
}

test("a held session is opened when it is free", async (t) => {
  const { agent, opened } = refusing(t);
  await pass(t, 2_000);
  agent.free = true;
  await pass(t, 1_000);
  assert.equal(await opened, "opened");
  assert.equal(agent.waits, 1);
});

test("the pauses grow up to a second, and the last attempt is at the timeout", async (t) => {
  const { agent, opened } = refusing(t);
  await pass(t, 20_000);
  await assert.rejects(opened, isHeld);
  assert.deepEqual(agent.tries, [0, 100, 300, 700, 1_500, 2_500, 3_500, 4_500, 5_000]);
});

test("closing ends the wait without another attempt", async (t) => {
  const { agent, closing, opened } = refusing(t);
  await pass(t, 1_000);
  const tries = agent.tries.length;
  closing.abort();
  await assert.rejects(opened, isHeld);
  await pass(t, 5_000);
  assert.equal(agent.tries.length, tries);
});

test("other errors are not waited for", async (t) => {
  const { agent, opened } = refusing(t, () => new acp.RequestError(-32002, "no such session"));
  await assert.rejects(opened, /no such session/);
  assert.deepEqual([agent.tries.length, agent.waits], [1, 0]);
});

/** Runs a test with a window that was reloaded while its previous process still has the chat open. */
const reloaded = (run: (before: Desk, window: Desk, opened: Promise<void>) => Promise<void>): Promise<void> =>
  Desk.use({}, async (before) => {
    await before.prompt("/say Mine.");
    const window = before.beside(600_000);
    try {
      const opened = window.ready();
      await window.view.until(() => window.view.revision >= 0 && window.view.session.held);
      await run(before, window, opened);
    } finally {
      await window.host.close();
    }
  });

test("a reloaded chat waits until its previous process closes it", () =>
  reloaded(async (before, window, opened) => {
    assert.deepEqual([window.view.session.status, window.view.items], ["starting", []]);
    await before.host.close();
    await opened;
    assert.equal(window.view.session.status, "idle");
    assert.match(window.view.text, /^Mine\./);
    assert.deepEqual(window.view.all("notice"), []);
  }));

test("leaving a chat that waits for its session closes it", () =>
  reloaded(async (_, window, opened) => {
    const { chat } = window.host;
    await window.say({ type: "newSession" });
    assert.deepEqual(window.host.chats.all, [window.host.chat]);
    await window.host.chats.ended(chat.key);
    await opened;
    assert.deepEqual([chat.conversation.live, window.view.items], [undefined, []]);
  }));

test("a chat that waits for its session can be closed with its window", () =>
  reloaded(async (_, window, opened) => {
    const remembered = window.memory.read();
    await window.host.close();
    await opened;
    assert.deepEqual(window.view.all("notice"), []);
    assert.deepEqual(window.memory.read(), remembered);
  }));
