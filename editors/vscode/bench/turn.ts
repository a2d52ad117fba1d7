/**
 * Measures a turn of 2,000 items, 1,500 of them tool calls, and a sub-agent with 1,500
 * calls: opening them, and streaming them with and without scrolling.
 */
import type { CDPSession } from "playwright-core";
import type { Change } from "../src/shared/messages.js";
import type { Item } from "../src/shared/model.js";
import { answer, chat, tool } from "../test/webview/chats.js";
import { View } from "../test/webview/view.js";

const items = 2000;
/** Changes per batch; there is one batch per frame. */
const batch = 8;

/** The n-th item: three tool calls, then a message. */
function item(n: number, done: boolean): Item {
  if (n % 4 === 3) return { type: "message", id: `m${n}`, text: n % 40 === 3 ? answer : `Step ${n}: the next file needs the same change.`, blocks: [] };
  const kind = (["read", "execute", "edit"] as const)[n % 4 as 0 | 1 | 2];
  const text = Array.from({ length: 12 }, (_, line) => `${n}:${line} ${"output ".repeat(6)}`).join("\n");
  return tool({
    id: `c${n}`,
    kind,
    title: `${kind} src/module/file${n}.ts`,
    status: done ? "completed" : "in_progress",
    input: JSON.stringify({ path: `src/module/file${n}.ts`, n }, undefined, 2),
    content: done ? [kind === "execute" ? { type: "terminal", terminalId: `t${n}`, text, exitCode: 0 } : { type: "text", text, markdown: false }] : [],
  });
}

const numbers = Array.from({ length: items }, (_, n) => n);
const all = (): Item[] => numbers.map((n) => item(n, true));

function changes(): Change[] {
  return numbers.flatMap((n) => (n % 4 === 3 ? [item(n, true)] : [item(n, false), item(n, true)])).map((one) => ({ type: "item", item: one }));
}

/** The same calls, but all of them inside a sub-agent. It is open while it runs. */
const agent = (status: "in_progress" | "completed"): Item => tool({ id: "a", kind: "think", title: "Review the module", status });
const within = (one: Item): Item[] => (one.type === "tool" ? [{ ...one, parent: "a" }] : []);
const nested = (status: "in_progress" | "completed"): Item[] => [agent(status), ...all().flatMap(within)];
const nestedChanges = (): Change[] => changes().flatMap((change) => (change.type === "item" ? within(change.item) : [])).map((one) => ({ type: "item", item: one }));

interface Figures {
  /** Milliseconds. */
  total: number;
  mainThread: number;
  p50: number;
  p95: number;
  max: number;
  nodes: number;
}

async function measured(view: View, run: () => Promise<unknown>): Promise<Figures> {
  const session = await view.page.context().newCDPSession(view.page);
  await session.send("Performance.enable");
  await view.page.evaluate(() => {
    const times: number[] = [];
    const note = (now: number) => {
      times.push(now);
      requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
    Object.assign(window, { frameTimes: times });
  });
  const before = await metric(session, "TaskDuration");
  const start = performance.now();
  await run();
  const total = performance.now() - start;
  const mainThread = ((await metric(session, "TaskDuration")) - before) * 1000;
  const times = await view.page.evaluate(() => (window as unknown as { frameTimes: number[] }).frameTimes);
  const frames = times.slice(1).map((time, i) => time - (times[i] ?? 0)).sort((a, b) => a - b);
  const at = (part: number) => frames[Math.min(frames.length - 1, Math.floor(frames.length * part))] ?? 0;
  const nodes = await view.page.evaluate(() => document.querySelectorAll("*").length);
  return { total, mainThread, p50: at(0.5), p95: at(0.95), max: at(1), nodes };
}

async function metric(session: CDPSession, name: string): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find((one) => one.name === name)?.value ?? 0;
}

const last = `m${items - 1}`;
const lastNested = `c${items - 2}`;

/** Resolves when an item is drawn and nothing was drawn for a while. */
const settled = (view: View, id: string) =>
  view.page.evaluate(async (last) => {
    const shown = () => [...document.querySelectorAll(".item")].some((element) => element.getAttribute("data-id") === last);
    while (!shown()) await new Promise(requestAnimationFrame);
    let changed = true;
    const watcher = new MutationObserver(() => (changed = true));
    watcher.observe(document.body, { subtree: true, childList: true });
    while (changed) {
      changed = false;
      for (let i = 0; i < 10; i++) await new Promise(requestAnimationFrame);
    }
    watcher.disconnect();
  }, id);

const stream = (view: View, scroll: boolean, all = changes()) =>
  view.page.evaluate(async ([list, size, scrolls]) => {
    let revision = 1;
    for (let at = 0; at < list.length; at += size) {
      window.postMessage({ type: "changes", revision: ++revision, changes: list.slice(at, at + size) }, "*");
      // Up for a second, and then to the end again.
      const step = revision % 120;
      const log = document.querySelector(".log");
      if (scrolls && log && step < 60) {
        log.dispatchEvent(new WheelEvent("wheel"));
        log.scrollTop -= 120;
      }
      if (scrolls && step === 60) document.querySelector<HTMLElement>(".to-end")?.click();
      await new Promise(requestAnimationFrame);
    }
  }, [all, batch, scroll] as const);

/** Scrolls from the end to the start, and waits for what is drawn there. */
const scrollUp = (view: View) =>
  view.page.evaluate(async () => {
    const log = document.querySelector(".log")!;
    log.dispatchEvent(new WheelEvent("wheel"));
    while (log.scrollTop > 0) {
      log.scrollTop -= 240;
      await new Promise(requestAnimationFrame);
    }
  });

/** Posts without waiting. */
const show = (view: View, items: Item[]) => view.page.evaluate((data) => void window.postMessage(data, "*"), chat(items));

const running = { status: "running" } as const;

const rows: Record<string, (view: View) => Promise<Figures>> = {
  "open a chat of 2,000 items": (view) =>
    measured(view, async () => {
      await show(view, all());
      await settled(view, last);
    }),
  "scroll from the end to the start": async (view) => {
    await view.post(chat(all()));
    await settled(view, last);
    return measured(view, () => scrollUp(view));
  },
  "a turn of 2,000 items streams in": async (view) => {
    await view.post(chat([], running));
    return measured(view, () => stream(view, false));
  },
  "it streams in while somebody scrolls": async (view) => {
    await view.post(chat([], running));
    return measured(view, () => stream(view, true));
  },
  "open a chat of a closed sub-agent": (view) =>
    measured(view, async () => {
      await show(view, nested("completed"));
      await settled(view, "a");
    }),
  "open that sub-agent": async (view) => {
    await view.post(chat(nested("completed")));
    return measured(view, async () => {
      await view.page.evaluate(() => document.querySelector<HTMLElement>("[data-id=a] .card-head")!.click());
      await settled(view, lastNested);
    });
  },
  "open a chat of an open sub-agent": (view) =>
    measured(view, async () => {
      await show(view, nested("in_progress"));
      await settled(view, lastNested);
    }),
  "scroll from the sub-agent's end to its start": async (view) => {
    await view.post(chat(nested("in_progress")));
    await settled(view, lastNested);
    return measured(view, () => scrollUp(view));
  },
  "a sub-agent's calls stream in": async (view) => {
    await view.post(chat([agent("in_progress")], running));
    return measured(view, () => stream(view, false, nestedChanges()));
  },
  "they stream in while somebody scrolls": async (view) => {
    await view.post(chat([agent("in_progress")], running));
    return measured(view, () => stream(view, true, nestedChanges()));
  },
};

const median = (numbers: number[]): number => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

export async function benchTurn(runs: number): Promise<void> {
  const columns = ["total", "mainThread", "p50", "p95", "max", "nodes"] as const;
  console.log(`${`medians of ${runs}, in milliseconds`.padEnd(42)}${columns.map((name) => name.padStart(11)).join("")}`);
  for (const [name, run] of Object.entries(rows)) {
    const all: Figures[] = [];
    for (let i = 0; i < runs; i++) {
      const view = await View.open();
      all.push(await run(view));
      await view.close();
    }
    console.log(`${name.padEnd(42)}${columns.map((column) => median(all.map((one) => one[column])).toFixed(0).padStart(11)).join("")}`);
  }
}
