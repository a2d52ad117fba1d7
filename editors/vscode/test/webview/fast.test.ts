/**
 * Keys are handled while a lot is shown: content is added to the page a little
 * per frame, all of it gets there, and text typed in the meantime appears.
 *
 * No real time is measured. The page's clock advances by a millisecond whenever
 * it is read, so the view's time budget per frame becomes a number of pieces,
 * the same on every machine. `npm run bench` measures response times.
 */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Change } from "../../src/shared/messages.js";
import { answer, chat } from "./chats.js";
import { answerPieces, answers, line, lines, longMessage, manyItems, message, outputPieces, printing, unbroken } from "./loads.js";
import { countPerFrame, type Counts, type Put } from "./perFrame.js";
import { leaveBrowser } from "../browser.js";
import { View } from "./view.js";

after(leaveBrowser);

/** The most pieces between two frames: the 8 of one frame, and as many left by the previous one. */
const pieces = 16;
/** The characters of a piece, with the markup for code. */
const piece = 8_100;
/**
 * The visible rows and those beyond the edges: when rows arrive, when scrolling
 * to their end starts, and when it is done.
 */
const rows = 3 * 36;

const running = { status: "running" } as const;

/** Types a key per frame until something ends, and some more: each must appear in the prompt, in order. */
async function typeWhile(view: View, going: Promise<unknown>): Promise<void> {
  const prompt = view.page.locator(".prompt textarea");
  let typed = await prompt.inputValue();
  let over = false;
  going.finally(() => (over = true)).catch(() => undefined);
  await prompt.focus();
  for (let i = 0; !over || i < 20; i++) {
    const key = i % 8 === 7 ? "Backspace" : "abcdefg"[i % 7] ?? "a";
    typed = key === "Backspace" ? typed.slice(0, -1) : typed + key;
    await view.page.keyboard.press(key);
    await view.page.evaluate(() => new Promise(requestAnimationFrame));
    assert.equal(await prompt.inputValue(), typed);
  }
  await going;
}

/** Streams text in batches, each within one frame. Each waits for a key and a frame, so that batches and keys alternate. */
function stream(view: View, changes: Change[], batch: number): Promise<void> {
  return view.page.evaluate(async ([all, size]) => {
    const prompt = document.querySelector(".prompt textarea")!;
    for (let i = 0; i < all.length; i += size) {
      const typed = new Promise((done) => prompt.addEventListener("input", done, { once: true }));
      for (const [j, change] of all.slice(i, i + size).entries()) {
        const data = { type: "changes", revision: i + j + 2, changes: [change] };
        window.dispatchEvent(new MessageEvent("message", { data }));
        await undefined; // let the effects of one message finish before the next, as if it arrived separately
      }
      await typed;
      await new Promise(requestAnimationFrame);
    }
  }, [changes, batch] as const);
}

function assertAtMost({ inAFrame }: Put, most: Partial<Counts>): void {
  for (const [kind, limit] of Object.entries(most) as [keyof Counts, number][]) {
    assert.ok(inAFrame[kind] > 0, `no ${kind} were counted`);
    assert.ok(inAFrame[kind] <= limit, `${inAFrame[kind]} ${kind} were put into the page between two frames, of at most ${limit}`);
  }
}

const shownText = (view: View) => view.page.locator(".agent").evaluate((element) => (element.textContent ?? "").replaceAll(/\s+/g, " ").trim());

test("while 10,000 pieces of an answer stream in, and after", async () => {
  const view = await View.open({ tickingClock: true });
  await view.post(chat([message(answer)]));
  const once = await shownText(view);
  const length = answers * once.length;
  await view.post(chat([message("")], running));
  const put = await countPerFrame(view);
  await typeWhile(view, stream(view, answerPieces(), 500));
  await typeWhile(view, view.page.waitForFunction((wanted) => document.querySelectorAll(".agent blockquote").length === wanted, answers));
  assert.equal(await shownText(view), Array.from({ length: answers }, () => once).join(" "));
  assert.equal(await view.page.locator(".agent .code").count(), answers);
  const below = await view.page.locator(".log").evaluate(({ scrollTop, scrollHeight, clientHeight }) => scrollHeight - scrollTop - clientHeight);
  assert.ok(below <= 24, `the end is ${below} pixels out of sight`);
  // New text doesn't insert existing content again, except for the growing
  // block.
  const { characters } = (await put()).inAll;
  assert.ok(characters <= 1.5 * length, `${characters} characters were put into the page for ${length}`);
  await view.close();
});

test("while a tool prints 5 MB piece by piece, and after", async () => {
  const view = await View.open({ tickingClock: true });
  await view.post(chat([printing(false)], running));
  const put = await countPerFrame(view);
  await typeWhile(view, stream(view, outputPieces(), 50));
  await assertWholeOutput(view);
  assertAtMost(await put(), { rows });
  await view.close();
});

test("when 5 MB of output come at once, and after", async () => {
  const view = await View.open({ tickingClock: true });
  await view.post(chat([], running));
  const put = await countPerFrame(view);
  await typeWhile(view, view.post({ type: "changes", revision: 2, changes: [{ type: "item", item: printing(true) }] }));
  await assertWholeOutput(view);
  assertAtMost(await put(), { rows });
  await view.close();
});

/**
 * The end is visible, everything before can be scrolled to, and few of the rows
 * are in the page.
 */
async function assertWholeOutput(view: View): Promise<void> {
  const output = view.page.locator(".output");
  for (const wanted of [lines - 1, Math.floor(lines / 2), 0]) {
    if (wanted !== lines - 1) await output.evaluate((element, index) => (element.scrollTop = index * 18), wanted);
    await output.getByText(line(wanted), { exact: true }).waitFor();
    const shown = await output.locator(".row").allTextContents();
    assert.ok(shown.length < 100, `${shown.length} rows are in the page`);
    const first = Number(/\d+/.exec(shown[0] ?? "")?.[0]);
    assert.deepEqual(shown, shown.map((_, i) => line(first + i)));
  }
  assert.equal(await output.locator(".rows-all").evaluate((element) => element.clientHeight), lines * 18);
}

test("a message of a megabyte without a break is shown whole, in pieces", async () => {
  const view = await View.open({ tickingClock: true });
  await view.post(chat([], running));
  const put = await countPerFrame(view);
  await typeWhile(view, view.post({ type: "changes", revision: 2, changes: [{ type: "item", item: longMessage }] }));
  // A locator by text would read the megabyte again and again.
  await typeWhile(view, view.page.waitForFunction(() => document.querySelector(".agent .block:last-child")?.textContent?.trim().endsWith("The end.")));
  const shown = await view.page.locator(".agent .code pre").allTextContents();
  assert.equal(shown.join("").replaceAll("\n", ""), unbroken);
  assertAtMost(await put(), { characters: pieces * piece, blocks: pieces });
  await view.close();
});

test("a chat of 2,000 items is opened at its end, and only the items near it are drawn", async () => {
  const view = await View.open({ tickingClock: true });
  await view.post(chat([]));
  const put = await countPerFrame(view);
  await typeWhile(view, view.post(chat(manyItems(400))));
  await typeWhile(view, view.page.waitForFunction(() => document.querySelectorAll(".chunk > .item").length > 24));
  assert.ok((await put()).inAll.items < 200);
  await view.close();
});
