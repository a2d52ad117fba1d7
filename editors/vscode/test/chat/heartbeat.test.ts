/** The page's connection to a server that falls silent, in virtual time. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { ResumableConnection } from "../../src/page/resumable.js";

/** A socket whose server greets, and then answers heartbeats while `answers` is set. */
class Socket extends EventTarget {
  static answers = true;
  static heartbeats = 0;
  binaryType = "";

  constructor() {
    super();
    queueMicrotask(() => this.dispatchEvent(new Event("open")));
  }

  send(data: Uint8Array): void {
    const { hello } = JSON.parse(new TextDecoder().decode(data)) as { hello?: object };
    if (!hello) Socket.heartbeats++;
    if (!Socket.answers) return;
    const control = new TextEncoder().encode(JSON.stringify({ ...(hello && { hello: { connection: "c" } }), received: 0 }));
    this.dispatchEvent(new MessageEvent("message", { data: control.buffer }));
  }

  close(): void {}
}

/** Timers must not see a later time than their own. */
function pass(t: TestContext, milliseconds: number): void {
  for (let passed = 0; passed < milliseconds; passed += 100) t.mock.timers.tick(100);
}

test("a silent server is noticed within nine seconds, whenever it falls silent", async (t) => {
  for (const after of [0, 500, 3_900, 4_000, 4_100, 6_000]) {
    t.mock.timers.enable({ apis: ["setInterval", "setTimeout", "Date"] });
    Object.assign(globalThis, { window: new EventTarget(), document: new EventTarget(), WebSocket: Socket });
    Object.assign(Socket, { answers: true, heartbeats: 0 });
    let lost = false;
    const connection = new ResumableConnection(new URL("ws://localhost/acp"), {
      received: () => {}, lost: () => (lost = true), back: () => {}, acknowledged: () => {}, ended: () => {},
    });
    await Promise.resolve(); // it is open
    pass(t, 60_000 + after);
    assert.equal(lost, false, "it was heard");
    assert.equal(Socket.heartbeats, Math.floor((60_000 + after) / 4_000));
    Socket.answers = false;
    pass(t, 9_000);
    assert.equal(lost, true, `it fell silent after ${after} ms`);
    connection.close();
    t.mock.timers.reset();
  }
});
