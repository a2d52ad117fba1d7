/**
 * The view answers within 100 ms, whatever streams in: from a key or a click to
 * the next picture on the screen, as the browser itself measures it.
 *
 * As in the web's own measure for this (INP), one answer in fifty may be an
 * outlier. A machine that is busy with something else can make a view slow, and
 * nothing can make one faster than it is: so the best of a few runs counts, and
 * each is given as much more time as the machine takes for work of a known size.
 */
import assert from "node:assert/strict";
import { after, test, type TestContext } from "node:test";
import { answer, chat, everything, tool } from "./chats.js";
import { closeBrowser, View } from "./view.js";

after(closeBrowser);

const limit = 100; // milliseconds, from the product's requirements
const runs = 3;

interface Measured {
  keys: number;
  /** The slowest answer but for outliers, in milliseconds. */
  slowest: number;
}

/** From now on, the browser notes how long each event took until it was painted. */
async function measure(view: View): Promise<() => Promise<Measured>> {
  await view.page.evaluate(() => {
    const entries: Timing[] = [];
    const observer = new PerformanceObserver((list) => entries.push(...(list.getEntries() as Timing[])));
    observer.observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
    Object.assign(window, { eventEntries: entries });
  });
  const before = await view.page.evaluate(() => performance.eventCounts.get("keydown") ?? 0);
  return async () => {
    await view.frames();
    return view.page.evaluate((seen) => {
      const { eventEntries } = window as unknown as { eventEntries: Timing[] };
      const interactions = new Map<number, number>();
      for (const { interactionId, duration } of eventEntries) {
        if (interactionId) interactions.set(interactionId, Math.max(duration, interactions.get(interactionId) ?? 0));
      }
      const keys = (performance.eventCounts.get("keydown") ?? 0) - seen;
      const slow = [...interactions.values()].sort((a, b) => b - a);
      return { keys, slowest: slow[Math.floor(keys / 50)] ?? 0 };
    }, before);
  };
}

interface Timing extends PerformanceEntry {
  interactionId: number;
}

async function best(t: TestContext, what: string, run: () => Promise<Measured>): Promise<void> {
  const results: string[] = [];
  for (let i = 0; i < runs; i++) {
    const before = slowdown();
    const { keys, slowest } = await run();
    const allowed = limit * Math.max(before, slowdown());
    assert.ok(keys >= 20, `only ${keys} keys were pressed`);
    results.push(`${slowest} of ${Math.round(allowed)} ms`);
    t.diagnostic(`${what}: ${results.at(-1)}`);
    if (slowest <= allowed) return;
  }
  assert.fail(`${what}: the slowest answers took ${results.join(", ")}`);
}

/** How much longer work takes on this machine now than on one that is free: 1 if it is. */
function slowdown(): number {
  const begun = performance.now();
  const before = process.cpuUsage();
  let worked = 0; // milliseconds that this process was given
  while (worked < 200) {
    JSON.stringify(Array.from({ length: 20_000 }, (_, i) => i));
    const { user, system } = process.cpuUsage(before);
    worked = (user + system) / 1000;
  }
  return Math.max(1, (performance.now() - begun) / worked);
}

/** Types for as long as something goes on. */
async function typeWhile(view: View, going: Promise<unknown>): Promise<void> {
  // By its attribute: a locator by role would look through the whole page, in the view's own time.
  const keys = view.page.locator("[aria-label=Keys]").first();
  let over = false;
  void going.finally(() => (over = true));
  await view.page.locator(".prompt textarea").click();
  for (let i = 0; !over || i < 30; i++) {
    await view.page.keyboard.press(i % 8 === 7 ? "Backspace" : "abcdefg"[i % 7] ?? "a");
    if (i % 20 !== 19) continue;
    await keys.click();
    await view.page.keyboard.press("Escape");
    await view.page.locator(".prompt textarea").click();
  }
  await going;
}

test("while 10,000 pieces of an answer stream in, and after", async (t) => {
  const text = Array.from({ length: 160 }, () => answer).join("\n");
  const size = Math.ceil(text.length / 10_000);
  await best(t, "10,000 chunks", async () => {
    const view = await View.open();
    await view.post(chat([{ type: "message", id: "m", text: "", blocks: [] }], { status: "running" }));
    const measured = await measure(view);
    const streaming = view.page.evaluate(async ([whole, step]) => {
      for (let i = 0, revision = 2; i < whole.length; i += step, revision++) {
        window.postMessage({ type: "changes", revision, changes: [{ type: "text", id: "m", text: whole.slice(i, i + step) }] }, "*");
        if (revision % 25 === 0) await new Promise((done) => setTimeout(done, 4));
      }
    }, [text, size] as const);
    await typeWhile(view, streaming);
    await view.page.waitForFunction((wanted) => document.querySelectorAll(".agent h2").length === wanted, 160);
    await typeWhile(view, view.frames());
    const result = await measured();
    assert.equal(await view.page.locator(".agent .code").count(), 160);
    assert.equal(await view.page.locator(".agent h2").last().textContent(), "What I found");
    const log = await view.page.locator(".log").evaluate(({ scrollTop, scrollHeight, clientHeight }) => scrollHeight - scrollTop - clientHeight);
    assert.ok(log <= 24, `the end is ${log} pixels out of sight`);
    await view.close();
    return result;
  });
});

const lines = 62_500;
const output = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `\u001b[3${(from + i) % 8}mline ${String(from + i).padStart(6, "0")}\u001b[0m ${"·".repeat(4)}${"x".repeat(54)}\n`).join("");

test("while a tool prints 5 MB piece by piece, and after", async (t) => {
  const pieces = Array.from({ length: 1000 }, (_, i) => output(Math.round((i * lines) / 1000), Math.round(((i + 1) * lines) / 1000)));
  assert.ok(pieces.join("").length >= 5_000_000);
  await best(t, "5 MB in 1,000 pieces", async () => {
    const view = await View.open();
    await view.post(chat([tool({ id: "c", kind: "execute", status: "in_progress", content: [{ type: "terminal", terminalId: "x", text: "" }] })], { status: "running" }));
    const measured = await measure(view);
    const streaming = view.page.evaluate(async (all) => {
      for (const [i, text] of all.entries()) {
        window.postMessage({ type: "changes", revision: i + 2, changes: [{ type: "output", id: "c", index: 0, text }] }, "*");
        if (i % 5 === 0) await new Promise((done) => setTimeout(done, 4));
      }
    }, pieces);
    await typeWhile(view, streaming);
    await assertWholeOutput(view);
    await typeWhile(view, view.frames());
    const result = await measured();
    await view.close();
    return result;
  });
});

test("when 5 MB of output come at once, and after", async (t) => {
  const text = output(0, lines);
  await best(t, "5 MB at once", async () => {
    const view = await View.open();
    await view.post(chat([], { status: "running" }));
    const measured = await measure(view);
    const item = tool({ id: "c", kind: "execute", status: "in_progress", content: [{ type: "terminal", terminalId: "x", text }] });
    await typeWhile(view, view.post({ type: "changes", revision: 2, changes: [{ type: "item", item }] }));
    await assertWholeOutput(view);
    await typeWhile(view, view.frames());
    const result = await measured();
    await view.close();
    return result;
  });
});

/** The end is in sight, the beginning can be scrolled to, and few of the rows are in the page. */
async function assertWholeOutput(view: View): Promise<void> {
  const rows = view.page.locator(".output");
  await rows.getByText(`line ${String(lines - 1).padStart(6, "0")}`).waitFor();
  assert.ok((await rows.locator(".row").count()) < 100);
  await rows.evaluate((element) => (element.scrollTop = 0));
  await rows.getByText("line 000000").waitFor();
}

test("a message of a megabyte without a break is shown whole, in pieces", async (t) => {
  const text = `\`\`\`\n${"0123456789 ".repeat(95_000)}\n\`\`\`\n\nThe end.`;
  await best(t, "1 MB in one block", async () => {
    const view = await View.open();
    await view.post(chat([], { status: "running" }));
    const measured = await measure(view);
    await typeWhile(view, view.post({ type: "changes", revision: 2, changes: [{ type: "item", item: { type: "message", id: "m", text, blocks: [] } }] }));
    // A locator by text would read the megabyte again and again, in the view's own time.
    await view.page.waitForFunction(() => document.querySelector(".agent .block:last-child")?.textContent?.trim().endsWith("The end."));
    const result = await measured();
    const shown = await view.page.locator(".agent .code pre").allTextContents();
    assert.equal(shown.join("").replaceAll("\n", ""), "0123456789 ".repeat(95_000));
    await view.close();
    return result;
  });
});

test("when a chat of 2,000 items is opened, and after", async (t) => {
  const items = Array.from({ length: 400 }, (_, turn) =>
    everything().slice(0, 5).map((item) => ({ ...item, id: `${item.id} ${turn}` })),
  ).flat();
  await best(t, "2,000 items", async () => {
    const view = await View.open();
    await view.post(chat([]));
    const measured = await measure(view);
    await typeWhile(view, view.post(chat(items)));
    await typeWhile(view, view.page.waitForFunction(() => document.querySelectorAll(".list > .item").length === 2000));
    const result = await measured();
    await view.close();
    return result;
  });
});
