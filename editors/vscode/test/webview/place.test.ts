/** The view's memory: drafts, open sections, and the scroll position. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Field } from "../../src/shared/model.js";
import { chat, everything, tool } from "./chats.js";
import { leaveBrowser } from "../browser.js";
import { View } from "./view.js";

after(leaveBrowser);

const name: Field = { name: "name", label: "Name", required: true, input: { kind: "text", multiline: false } };

test("drafts, what is opened, answers and the place survive a reload", async () => {
  const view = await View.open({ height: 500 });
  const items = [...everything(), { type: "question" as const, id: "q", message: "Name?", fields: [name] }];
  const { page } = view;
  await view.post(chat(items, { status: "running" }));
  await page.locator(".prompt textarea").fill("not sent yet");
  await page.getByRole("textbox", { name: "Name" }).fill("Ad");
  await page.locator(".thought button").click();
  await page.locator("[data-id=c3]").evaluate((element) => element.scrollIntoView());
  await view.frames();
  const place = () => page.locator("[data-id=c3]").evaluate((element) => Math.round(element.getBoundingClientRect().top));
  const before = await place();
  await view.reload();
  await view.post(chat(items, { status: "running" }));
  await view.frames();
  assert.equal(await page.locator(".prompt textarea").inputValue(), "not sent yet");
  assert.equal(await page.getByRole("textbox", { name: "Name" }).inputValue(), "Ad");
  assert.equal(await page.locator(".thought-text").count(), 1);
  await page.waitForFunction((top) => Math.abs(document.querySelector("[data-id=c3]")!.getBoundingClientRect().top - top) <= 2, before);
  await view.close();
});

test("the end stays in sight while text streams in, but not when the person has scrolled away", async () => {
  const view = await View.open({ height: 500 });
  await view.post(chat([...everything(), { type: "message", id: "last", text: "", blocks: [] }], { status: "running" }));
  const { page } = view;
  const below = () => page.locator(".log").evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight);
  const stream = async (revision: number) => {
    await view.post({ type: "changes", revision, changes: [{ type: "text", id: "last", text: "More.\n\n".repeat(30) }] });
    await view.frames();
  };
  await stream(2);
  assert.ok((await below()) <= 24);
  await page.locator(".log").hover();
  await page.mouse.wheel(0, -600);
  await page.getByRole("button", { name: "Latest" }).waitFor();
  await stream(3);
  assert.ok((await below()) > 300);
  await page.getByRole("button", { name: "Latest" }).click();
  await view.frames();
  assert.ok((await below()) <= 24);
  await view.close();
});

test("the end stays in sight when the view gets narrower, and when content grows before a scroll is noticed", async () => {
  const view = await View.open({ width: 620, height: 500 });
  const text = "A sentence that takes several lines in a narrow view, and one in a wide one. ".repeat(20);
  await view.post(chat([...everything(), { type: "message", id: "last", text, blocks: [] }], { status: "running" }));
  const { page } = view;
  const below = () => page.locator(".log").evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight);
  await view.frames();
  assert.ok((await below()) <= 24);
  await page.setViewportSize({ width: 300, height: 500 });
  await view.frames();
  assert.ok((await below()) <= 24, "narrower");
  await page.locator(".log").evaluate((log) => {
    const more = document.createElement("div");
    more.style.height = "400px";
    document.querySelector(".list")!.append(more);
    log.dispatchEvent(new Event("scroll"));
  });
  await view.frames();
  assert.ok((await below()) <= 24, "grown");
  assert.equal(await page.getByRole("button", { name: "Latest" }).count(), 0);
  await view.close();
});

const longChat = Array.from({ length: 300 }, (_, i) => tool({ id: `c${i}`, title: `Call ${i}` }));

test("the place in a long chat survives a reload, though most items are not drawn", async () => {
  const view = await View.open({ height: 500 });
  const { page } = view;
  const top = () => page.locator("[data-id=c20]").evaluate((element) => Math.round(element.getBoundingClientRect().top));
  await view.post(chat(longChat));
  assert.equal(await page.locator("[data-id=c20]").count(), 0);
  await page.locator(".log").focus();
  await page.keyboard.press("Home");
  await page.locator("[data-id=c20]").evaluate((element) => element.scrollIntoView());
  await view.frames();
  const before = await top();
  await view.reload();
  await view.post(chat(longChat));
  await page.waitForFunction((wanted) => Math.abs((document.querySelector("[data-id=c20]")?.getBoundingClientRect().top ?? 1e6) - wanted) <= 2, before);
  await view.close();
});

test("the first and the last item of a long chat are reached by key", async () => {
  const view = await View.open({ height: 500 });
  const { page } = view;
  await view.post(chat(longChat));
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("data-id"));
  await page.keyboard.press("Alt+ArrowUp");
  assert.equal(await focused(), "c299");
  await page.keyboard.press("Home");
  assert.equal(await focused(), "c0");
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press("ArrowDown");
    await view.frames();
  }
  assert.equal(await focused(), "c60");
  await page.keyboard.press("End");
  assert.equal(await focused(), "c299");
  await view.close();
});

test("everything is copied, also what is not drawn", async () => {
  const view = await View.open({ height: 500 });
  const { page } = view;
  await view.post(chat(longChat));
  await page.locator(".log").focus();
  await page.keyboard.press("Control+a");
  const copied = await page.evaluate(() => {
    document.execCommand("copy");
    return String(getSelection());
  });
  for (const i of [0, 150, 299]) assert.match(copied, new RegExp(`Call ${i}\\b`));
  await page.waitForFunction(() => document.querySelectorAll(".chunk > .item").length < 200);
  await view.close();
});

test("a selection survives scrolling far away", async () => {
  const view = await View.open({ height: 500 });
  const { page } = view;
  await view.post(chat(longChat));
  await page.evaluate(() => getSelection()?.selectAllChildren(document.querySelector("[data-id=c299]")!));
  await page.locator(".log").evaluate((log) => (log.scrollTop = 0));
  await page.locator("[data-id=c0]").waitFor();
  assert.match(await page.evaluate(() => String(getSelection())), /Call 299/);
  await view.close();
});

test("a request far from the visible part is reached by key", async () => {
  const view = await View.open({ height: 500 });
  const { page } = view;
  const permission = { requestId: "r", options: [{ id: "yes", name: "Allow", kind: "allow_once" as const }] };
  await view.post(chat(longChat.map((call) => (call.id === "c100" ? { ...call, permission, status: "pending" as const } : call)), { status: "running" }));
  await page.keyboard.press("Alt+Enter");
  await page.locator("[data-id=c100] [data-asks]:focus").waitFor();
  await view.close();
});
