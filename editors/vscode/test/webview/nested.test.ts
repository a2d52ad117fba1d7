/** A sub-agent with many calls: only those near the visible part are drawn, and everything works as if all were. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Item, ToolCall } from "../../src/shared/model.js";
import { leaveBrowser } from "../browser.js";
import { assertAccessible, loadAxe } from "./axe.js";
import { chat, tool } from "./chats.js";
import { View } from "./view.js";

after(leaveBrowser);

const count = 1500;
const agent = (part: Partial<ToolCall> = {}): Item => tool({ id: "a", kind: "think", title: "Review the module", status: "in_progress", content: [{ type: "text", text: "All fine.", markdown: false }], ...part });
/** Some are open, so that their heights differ. */
const call = (n: number, part: Partial<ToolCall> = {}): Item =>
  tool({ id: `c${n}`, parent: "a", kind: "execute", title: `Call ${n}`, status: n % 7 === 3 ? "failed" : "completed", content: [{ type: "text", text: "output\n".repeat(1 + (n % 13)), markdown: false }], ...part });
const calls = Array.from({ length: count }, (_, n) => call(n));
const around = (name: string) => Array.from({ length: 30 }, (_, n) => tool({ id: `${name}${n}`, title: `${name} ${n}` }));

/** A sub-agent between other calls; it is open. */
const items: Item[] = [...around("before"), agent(), ...calls, ...around("after")];

async function shown(all: Item[] = items, height = 500): Promise<View> {
  const view = await View.open({ height });
  await view.post(chat(all, { status: "running" }));
  return view;
}

const drawn = (view: View) => view.page.locator(".inside .item").count();

/** Scrolls until a call is at the upper edge, as somebody who drags the scroll bar. */
async function scrollTo(view: View, id: string): Promise<void> {
  const n = Number(id.slice(1));
  await view.page.locator(".log").evaluate(async (log, [wanted, part]) => {
    log.dispatchEvent(new WheelEvent("wheel"));
    const list = log.querySelector("[data-id=a] .inside");
    const box = list?.getBoundingClientRect();
    log.scrollTop += box ? box.top + box.height * part : -log.scrollTop;
    const frame = () => new Promise(requestAnimationFrame);
    while (!document.querySelector(`[data-id=${wanted}]`)) {
      const near = [...log.querySelectorAll<HTMLElement>(".inside .item")].find((item) => item.getBoundingClientRect().bottom > 0);
      if (near) log.scrollTop += Number(near.dataset["id"]?.slice(1)) < Number(wanted.slice(1)) ? 300 : -300;
      await frame();
    }
    document.querySelector(`[data-id=${wanted}]`)?.scrollIntoView();
    for (let i = 0; i < 4; i++) await frame();
  }, [id, n / count] as const);
}

const top = (view: View, id: string) => view.page.locator(`[data-id=${id}]`).evaluate((element) => Math.round(element.getBoundingClientRect().top));
const focused = (view: View) => view.page.evaluate(() => document.activeElement?.getAttribute("data-id"));

test("few of a sub-agent's calls are drawn, and scrolling draws the right ones", async () => {
  const view = await shown([...items, tool({ id: "b", kind: "think", title: "Closed" }), ...calls.map((one) => ({ ...one, id: `b ${one.id}`, parent: "b" }) as Item)]);
  assert.equal(await view.page.locator("[data-id^='b c']").count(), 0);
  for (const id of ["c1400", "c700", "c20", "c1100"]) {
    await scrollTo(view, id);
    assert.ok(await view.page.getByText(`Call ${id.slice(1)}`, { exact: true }).isVisible());
    assert.ok((await drawn(view)) < 200, `${await drawn(view)} calls are drawn at ${id}`);
    const ids = await view.page.locator(".inside .item").evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().bottom > 0 && one.getBoundingClientRect().top < innerHeight).map((one) => Number(one.getAttribute("data-id")?.slice(1))));
    assert.deepEqual(ids, ids.map((_, i) => (ids[0] ?? NaN) + i));
    assert.equal(await view.page.locator(".inside .chunk[role=note]").evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().bottom > 0 && one.getBoundingClientRect().top < innerHeight).length), 0);
  }
  assert.deepEqual(view.errors, []);
  await view.close();
});

test("a sub-agent is opened at its start and its end", async () => {
  const view = await shown([agent({ status: "completed" }), ...calls], 900);
  assert.equal(await drawn(view), 0);
  await view.page.locator("[data-id=a] .card-head").click();
  await view.page.getByText(`Call ${count - 1}`, { exact: true }).waitFor();
  await view.frames();
  assert.ok((await drawn(view)) < 200);
  const below = await view.page.locator(".log").evaluate(({ scrollTop, scrollHeight, clientHeight }) => scrollHeight - scrollTop - clientHeight);
  assert.ok(below <= 24);
  await loadAxe(view);
  await assertAccessible(view, "an open sub-agent");
  await view.screenshot("nested-end");
  await view.page.locator(".log").focus();
  await view.page.keyboard.press("Home");
  await view.frames();
  await view.screenshot("nested-start");
  assert.equal(await focused(view), "a");
  assert.ok((await top(view, "a")) > 0);
  await view.close();
});

test("nothing jumps while somebody scrolls through a sub-agent", async () => {
  const view = await shown();
  for (const by of [-150, 150]) {
    await scrollTo(view, "c900");
    const jumps = await view.page.locator(".log").evaluate(async (log, step) => {
      const jumps: string[] = [];
      for (let i = 0; i < 40; i++) {
        const seen = [...log.querySelectorAll<HTMLElement>(".inside .item")].find((item) => item.getBoundingClientRect().top >= 100);
        const before = seen?.getBoundingClientRect().top ?? NaN;
        log.scrollTop += step;
        for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
        const moved = (seen?.getBoundingClientRect().top ?? NaN) - before;
        if (!(Math.abs(moved + step) <= 1)) jumps.push(`${seen?.dataset["id"]} moved by ${moved}`);
      }
      return jumps;
    }, by);
    assert.deepEqual(jumps, []);
  }
  await view.close();
});

test("a call that changes while it is not drawn is right when it comes into view", async () => {
  const view = await shown();
  await scrollTo(view, "c300");
  await scrollTo(view, "c1200");
  assert.equal(await view.page.locator("[data-id=c300]").count(), 0);
  await view.post({ type: "changes", revision: 2, changes: [
    { type: "item", item: call(300, { title: "Changed 300", status: "failed" }) },
    { type: "output", id: "c300", index: 0, text: "more output" },
    { type: "item", item: call(count) },
    { type: "remove", id: "c301" },
  ] });
  await scrollTo(view, "c300");
  assert.match(await view.page.locator("[data-id=c300]").innerText(), /Changed 300[\s\S]*Failed[\s\S]*more output/);
  assert.equal(await view.page.locator("[data-id=c300]").evaluate((one) => one.nextElementSibling?.getAttribute("data-id")), "c302");
  await scrollTo(view, `c${count}`);
  await view.close();
});

test("calls that stream in are drawn only at the end", async () => {
  const view = await shown([agent()]);
  const post = async (from: number, revision: number) => view.post({ type: "changes", revision, changes: calls.slice(from, from + 50).map((item) => ({ type: "item" as const, item })) });
  let revision = 2;
  for (let from = 0; from < 400; from += 50) await post(from, revision++);
  await view.page.getByText("Call 399", { exact: true }).waitFor();
  assert.ok((await drawn(view)) < 200);
  await view.page.locator(".log").hover();
  await view.page.mouse.wheel(0, -4000);
  await view.page.getByRole("button", { name: "Latest" }).waitFor();
  await view.frames();
  for (let from = 400; from < 800; from += 50) await post(from, revision++);
  await view.frames();
  assert.equal(await view.page.locator("[data-id=c799]").count(), 0);
  await view.page.getByRole("button", { name: "Latest" }).click();
  await view.page.getByText("Call 799", { exact: true }).waitFor();
  await view.frames();
  const below = await view.page.locator(".log").evaluate(({ scrollTop, scrollHeight, clientHeight }) => scrollHeight - scrollTop - clientHeight);
  assert.ok(below <= 24, `the end is ${below} pixels out of sight`);
  await view.close();
});

test("text is found in a call of a sub-agent, also if the sub-agent and the run of reads are closed", async () => {
  const deep = Array.from({ length: 300 }, (_, n) => tool({ id: `d${n}`, parent: "b", kind: "read", title: n === 150 ? "The needle 2" : `Read ${n}` }));
  const all = [...items.map((one) => (one.id === "c777" ? call(777, { title: "The needle 1" }) : one)), tool({ id: "o", kind: "think", title: "Outer" }), tool({ id: "b", parent: "o", kind: "think", title: "Inner" }), ...deep];
  const view = await shown(all);
  const { page } = view;
  const inSight = (id: string) => page.waitForFunction((wanted) => {
    const box = document.querySelector(`.found[data-id=${wanted}]`)?.getBoundingClientRect();
    return box && box.top >= 0 && box.bottom <= innerHeight;
  }, id);
  await page.keyboard.press("Control+f");
  await page.keyboard.type("needle");
  await inSight("d150");
  await view.frames();
  await view.screenshot("nested-find");
  await page.keyboard.press("Enter");
  await inSight("c777");
  await page.keyboard.press("Enter");
  await inSight("d150");
  assert.equal(await page.evaluate(() => [...CSS.highlights.get("turnwire-found")!].join()), "needle");
  await view.close();
});

test("the focus and the selection survive scrolling far away", async () => {
  const view = await shown();
  const { page } = view;
  await scrollTo(view, "c500");
  await page.locator("[data-id=c500] .card-head").focus();
  await page.evaluate(() => getSelection()?.selectAllChildren(document.querySelector("[data-id=c500] .card-title")!));
  await page.locator(".log").evaluate((log) => (log.scrollTop = 0));
  await page.getByText("before 0", { exact: true }).waitFor();
  await view.frames();
  assert.equal(await page.evaluate(() => document.activeElement?.closest("article")?.getAttribute("data-id")), "c500");
  assert.equal(await page.evaluate(() => String(getSelection())), "Call 500");
  await view.close();
});

test("a sub-agent that is done stays open while somebody reads in it", async () => {
  const view = await shown();
  await scrollTo(view, "c500");
  const at = await top(view, "c500");
  const done = { type: "changes" as const, revision: 2, changes: [{ type: "item" as const, item: agent({ status: "completed" }) }] };
  await view.post(done);
  await view.frames();
  assert.equal(await top(view, "c500"), at);
  await view.page.getByRole("button", { name: "Latest" }).click();
  await view.post({ type: "changes", revision: 3, changes: [{ type: "item", item: agent({ status: "in_progress" }) }] });
  await view.post({ ...done, revision: 4 });
  assert.equal(await drawn(view), 0);
  await view.close();
});

test("the focus is on a sub-agent when it folds with the focus inside", async () => {
  const view = await shown([...around("before"), agent(), ...calls]);
  await view.frames();
  await view.page.locator(`[data-id=c${count - 1}] .card-head`).focus();
  await view.post({ type: "changes", revision: 2, changes: [{ type: "item", item: agent({ status: "completed" }) }] });
  assert.equal(await drawn(view), 0);
  assert.equal(await view.page.evaluate(() => document.activeElement?.closest("article")?.getAttribute("data-id")), "a");
  const at = await top(view, "a");
  assert.ok(at >= 0 && at < 500, `it is at ${at}`);
  await view.close();
});

test("everything is copied, also the calls of a sub-agent that are not drawn", async () => {
  const view = await shown();
  const { page } = view;
  await page.locator(".log").focus();
  await page.keyboard.press("Control+a");
  const copied = await page.evaluate(() => {
    document.execCommand("copy");
    return String(getSelection());
  });
  for (let n = 0; n < count; n += 100) assert.match(copied, new RegExp(`Call ${n}\\b`));
  await page.waitForFunction(() => document.querySelectorAll(".chunk > .item").length < 200);
  await view.close();
});

test("keys go into a sub-agent from above and below, and through its calls", async () => {
  const view = await shown();
  const { page } = view;
  const press = async (key: string) => {
    await page.keyboard.press(key);
    await view.frames();
    return focused(view);
  };
  await page.locator(".log").focus();
  await press("End");
  for (let i = 0; i < 29; i++) await press("ArrowUp");
  assert.equal(await press("ArrowUp"), `c${count - 1}`);
  for (let i = 2; i < 40; i++) assert.equal(await press("ArrowUp"), `c${count - i}`);
  // From an item that is far away from the visible part, to one that is not drawn.
  await page.locator(".log").evaluate((log) => (log.scrollTop = 0));
  await view.frames();
  for (let i = 40; i < 70; i++) assert.equal(await press("ArrowUp"), `c${count - i}`);
  assert.equal(await press("Home"), "before0");
  assert.equal(await press("ArrowUp"), "before0");
  for (let i = 0; i < 30; i++) await press("ArrowDown");
  assert.equal(await focused(view), "a");
  assert.equal(await press("ArrowDown"), "c0");
  await view.close();
});

test("the place inside a sub-agent survives a reload", async () => {
  const view = await shown();
  for (const id of ["c700", "after0"]) {
    if (id === "after0") await view.page.locator("[data-id=after0]").evaluate((one) => one.scrollIntoView({ block: "end" }));
    else await scrollTo(view, id);
    await view.frames();
    const before = await top(view, id);
    await view.reload();
    await view.post(chat(items, { status: "running" }));
    await view.page.waitForFunction(([wanted, at]) => Math.abs((document.querySelector(`[data-id=${wanted}]`)?.getBoundingClientRect().top ?? 1e6) - at) <= 2, [id, before] as const);
  }
  await view.close();
});

test("a request of a call far inside a closed sub-agent is reached by key", async () => {
  const view = await shown([agent({ status: "completed" }), ...calls, ...around("after")]);
  assert.equal(await drawn(view), 0);
  const permission = { requestId: "r", options: [{ id: "yes", name: "Allow", kind: "allow_once" as const }] };
  await view.post({ type: "changes", revision: 2, changes: [{ type: "item", item: call(700, { status: "pending", permission }) }] });
  await view.page.keyboard.press("Alt+Enter");
  await view.page.locator("[data-id=c700] [data-asks]:focus").waitFor();
  await view.post({ type: "changes", revision: 3, changes: [{ type: "item", item: call(700) }] });
  assert.equal(await drawn(view), 0);
  await view.close();
});

test("the plan of a turn stays above the prompt, however long its sub-agent is", async () => {
  const view = await shown([{ type: "plan", id: "p", entries: [{ content: "Review", status: "in_progress", priority: "medium" }] }, agent(), ...calls], 700);
  await view.page.getByText(`Call ${count - 1}`, { exact: true }).waitFor();
  assert.ok(await view.page.locator(".pinned-plan").isVisible());
  await view.screenshot("nested-plan");
  await view.close();
});
