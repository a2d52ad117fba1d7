/**
 * Work in pieces: each frame does as many as its budget of 8 ms allows, by a
 * clock that the test advances.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Frames, type Work } from "../../src/webview/frame/work.js";

/**
 * Frames that come when the test says so, and a clock that only work advances.
 */
class Screen {
  private now = 1;
  private asked: (() => void)[] = [];
  readonly frames = new Frames(() => this.now, (run) => this.asked.push(run));
  /** How many pieces were done, by the name of their work. */
  readonly done: Record<string, number> = {};

  /** Creates work with a number of pieces, each of which takes a given time. */
  job(name: string, pieces: number, milliseconds: number): Work {
    this.done[name] = 0;
    return () => {
      const done = (this.done[name] ?? 0) + 1;
      this.done[name] = done;
      this.now += milliseconds;
      return done < pieces;
    };
  }

  /** Shows the next frame; returns false if nobody requested one. */
  frame(): boolean {
    const runs = this.asked;
    this.asked = [];
    this.now += 100; // however late it comes, it has its whole budget
    for (const run of runs) run();
    return runs.length > 0;
  }
}

test("a frame's budget ends the work in it, and the next one goes on", () => {
  const screen = new Screen();
  screen.frames.work(screen.job("a", 20, 2));
  const seen = [screen.done["a"]];
  while (screen.frame()) seen.push(screen.done["a"]);
  assert.deepEqual(seen, [4, 8, 12, 16, 20]);
});

test("a piece that takes longer than the budget is the only one of its frame", () => {
  const screen = new Screen();
  screen.frames.work(screen.job("a", 3, 50));
  const seen = [screen.done["a"]];
  while (screen.frame()) seen.push(screen.done["a"]);
  assert.deepEqual(seen, [1, 2, 3]);
});

test("all works of a frame share its budget, the oldest first", () => {
  const screen = new Screen();
  screen.frames.work(screen.job("a", 6, 2));
  screen.frames.work(screen.job("b", 3, 2));
  assert.deepEqual(screen.done, { a: 4, b: 0 });
  screen.frame();
  assert.deepEqual(screen.done, { a: 6, b: 2 });
  screen.frame();
  assert.deepEqual(screen.done, { a: 6, b: 3 });
});

test("work that is asked for again while it waits is done once", () => {
  const screen = new Screen();
  const job = screen.job("a", 10, 2);
  for (let i = 0; i < 5; i++) screen.frames.work(job);
  assert.equal(screen.done["a"], 4);
  screen.frame();
  assert.equal(screen.done["a"], 8);
});

test("dropped work does not continue, and without work no frame is requested", () => {
  const screen = new Screen();
  const job = screen.job("a", 100, 2);
  screen.frames.work(job);
  screen.frame();
  screen.frames.drop(job);
  screen.frame();
  assert.equal(screen.done["a"], 8);
  assert.equal(screen.frame(), false);
});
