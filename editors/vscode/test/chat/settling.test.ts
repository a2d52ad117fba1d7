/** What has just appeared can't be allowed. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { Settling } from "../../src/vscode/settling.js";

/** The editor's side: it draws when the test says so. */
function settlingIn(t: TestContext): { settling: Settling; draw: () => Promise<void>; changes: boolean[] } {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const waiting: (() => void)[] = [];
  const changes: boolean[] = [];
  const settling: Settling = new Settling(() => new Promise<void>((resolve) => waiting.push(resolve)), () => changes.push(settling.settled));
  const draw = async (): Promise<void> => {
    for (const resolve of waiting.splice(0)) resolve();
    await new Promise(setImmediate);
  };
  return { settling, draw, changes };
}

test("a notification allows 700 ms after it was drawn", async (t) => {
  const { settling, draw, changes } = settlingIn(t);
  settling.restart();
  t.mock.timers.tick(10_000);
  assert.equal(settling.settled, false, "it was not drawn yet");
  await draw();
  t.mock.timers.tick(699);
  assert.equal(settling.settled, false);
  t.mock.timers.tick(1);
  assert.equal(settling.settled, true);
  assert.deepEqual(changes, [false, true]);
});

test("another notification that appears or closes restarts the delay", async (t) => {
  const { settling, draw, changes } = settlingIn(t);
  settling.restart();
  await draw();
  t.mock.timers.tick(699);
  settling.restart();
  t.mock.timers.tick(699);
  await draw();
  t.mock.timers.tick(699);
  assert.equal(settling.settled, false);
  t.mock.timers.tick(1);
  assert.equal(settling.settled, true);
  settling.restart();
  assert.equal(settling.settled, false);
  settling.stop();
  await draw();
  t.mock.timers.tick(10_000);
  assert.deepEqual(changes, [false, false, true, false]);
});
