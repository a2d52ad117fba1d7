/** The benchmark's workloads: a lot is shown while somebody types, and afterwards. */
import type { Change } from "../src/shared/messages.js";
import { chat } from "../test/webview/chats.js";
import { answerPieces, answers, line, lines, longMessage, manyItems, message, outputPieces, printing } from "../test/webview/loads.js";
import { leaveBrowser } from "../test/browser.js";
import { View } from "../test/webview/view.js";
import { benchTurn } from "./turn.js";
import { measure, useWhile, type Answers } from "./answers.js";

interface Load {
  name: string;
  /** The initial state. */
  begin: Parameters<View["post"]>[0];
  show: (view: View) => Promise<unknown>;
  /** Resolves when everything is shown. */
  shown: (view: View) => Promise<unknown>;
}

const running = { status: "running" } as const;

/**
 * Streams changes in batches of a given size, as fast as the page accepts them.
 */
const stream = (changes: Change[], batch: number) => (view: View) =>
  view.page.evaluate(async ([all, size]) => {
    for (const [i, change] of all.entries()) {
      window.postMessage({ type: "changes", revision: i + 2, changes: [change] }, "*");
      if (i % size === 0) await new Promise((done) => setTimeout(done, 4));
    }
  }, [changes, batch] as const);

const put = (item: Extract<Change, { type: "item" }>["item"]) => (view: View) =>
  view.post({ type: "changes", revision: 2, changes: [{ type: "item", item }] });

/** Checked in the page: a locator would read megabytes again and again, and slow down the view. */
const count = (selector: string, wanted: number) => (view: View) =>
  view.page.waitForFunction(([what, number]) => document.querySelectorAll(what).length === number, [selector, wanted] as const, { timeout: 0 });

const lastLine = (view: View) => view.page.locator(".output").getByText(line(lines - 1), { exact: true }).waitFor({ timeout: 0 });

const theEnd = (view: View) =>
  view.page.waitForFunction(() => document.querySelector(".agent .block:last-child")?.textContent?.trim().endsWith("The end."), undefined, { timeout: 0 });

/** The newest items are drawn. */
const newest = (view: View) => view.page.waitForFunction(() => document.querySelectorAll(".chunk > .item").length > 20, undefined, { timeout: 0 });

const loads: Load[] = [
  { name: "an answer in 10,000 pieces", begin: chat([message("")], running), show: stream(answerPieces(), 25), shown: count(".agent blockquote", answers) },
  { name: "5 MB of output in 1,000 pieces", begin: chat([printing(false)], running), show: stream(outputPieces(), 5), shown: lastLine },
  { name: "5 MB of output at once", begin: chat([], running), show: put(printing(true)), shown: lastLine },
  { name: "a message of 1 MB in one block", begin: chat([], running), show: put(longMessage), shown: theEnd },
  { name: "a chat of 2,000 items", begin: chat([]), show: (view) => view.post(chat(manyItems(400))), shown: newest },
];

async function run({ begin, show, shown }: Load): Promise<Answers> {
  const view = await View.open();
  await view.post(begin);
  const measured = await measure(view);
  await useWhile(view, show(view));
  await useWhile(view, shown(view));
  const result = await measured();
  await view.close();
  return result;
}

export async function bench(runs: number): Promise<void> {
  try {
    await benchTurn(runs);
    await benchAnswers(runs);
  } finally {
    await leaveBrowser();
  }
}

async function benchAnswers(runs: number): Promise<void> {
  console.log(`${"milliseconds from a key or click to the next picture".padEnd(54)}keys  98 %  slowest`);
  for (const load of loads) {
    for (let i = 0; i < runs; i++) {
      const { keys, slow, slowest } = await run(load);
      console.log(`${load.name.padEnd(50)}${String(keys).padStart(8)}${String(slow).padStart(6)}${String(slowest).padStart(9)}`);
    }
  }
}
