/** Prompts sent during a turn, with the real host and binary. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Desk, standIn } from "../chat/desk.js";
import { leaveBrowser } from "../browser.js";
import { idle, leave, opened, send } from "./live.js";
import { chat } from "./chats.js";
import { View } from "./view.js";

after(leaveBrowser);

const chips = (view: View) => view.page.locator(".queued-text").allInnerTexts();
/** The chip of a prompt; the text of its buttons doesn't count. */
const queued = (view: View, text: string) => view.page.locator(".queued", { has: view.page.locator(".queued-text", { hasText: text }) });
const said = (view: View) => view.page.locator(".user-text").allInnerTexts();

/** Starts a turn that waits for the user, with queued prompts. */
async function withQueue(view: View, ...prompts: string[]): Promise<void> {
  await send(view, "/run echo first");
  await view.page.locator(".permission").waitFor();
  for (const text of prompts) {
    await send(view, text);
    await queued(view, text).waitFor();
  }
}

test("prompts typed during a turn are chips that can be edited and removed, and are sent after it", () =>
  Desk.use({}, async (desk) => {
    const view = await opened(desk);
    const { page } = view;
    await withQueue(view, "/say One.", "/say Two.", "/say Three.");
    await view.screenshot("queue");
    await queued(view, "One.").getByRole("button", { name: /^Remove/ }).click();
    await queued(view, "One.").waitFor({ state: "detached" });
    await queued(view, "Two.").getByRole("button", { name: /^Edit/ }).click();
    await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>(".prompt textarea")?.value === "/say Two.");
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), "TEXTAREA");
    await page.keyboard.press("End");
    await page.keyboard.type(" Changed.");
    await page.getByRole("button", { name: "Queue", exact: true }).click();
    await queued(view, "Changed.").waitFor();
    assert.deepEqual(await chips(view), ["/say Three.", "/say Two. Changed."]);
    await view.reload();
    await queued(view, "Changed.").waitFor();
    await page.getByRole("button", { name: /^Allow/ }).first().click();
    await page.locator(".agent", { hasText: "Changed." }).waitFor();
    await idle(view);
    assert.deepEqual(await said(view), ["/run echo first", "/say Three.", "/say Two. Changed."]);
    assert.equal(await page.locator(".queue").count(), 0);
    await leave(view);
  }));

test("after a cancel the queue is held and says so, and Enter goes on", () =>
  Desk.use({}, async (desk) => {
    const view = await opened(desk);
    const { page } = view;
    await withQueue(view, "/say Later.");
    await page.keyboard.press("Escape");
    await page.getByText("Paused: the turn was cancelled. Press Send to continue.").waitFor();
    await view.screenshot("queue-held");
    assert.deepEqual(await said(view), ["/run echo first"]);
    await page.locator(".prompt textarea").focus();
    await page.keyboard.press("Enter");
    await page.locator(".agent", { hasText: "Later." }).waitFor();
    await idle(view);
    await leave(view);
  }));

test("a prompt is sent now: the turn is cancelled first", () =>
  Desk.use({}, async (desk) => {
    const view = await opened(desk);
    await withQueue(view, "/say One.", "/say Now.");
    await queued(view, "Now.").getByRole("button", { name: /^Cancel and send/ }).click();
    await view.page.locator(".agent", { hasText: "One." }).waitFor();
    await idle(view);
    assert.deepEqual(await said(view), ["/run echo first", "/say Now.", "/say One."]);
    assert.equal(await view.page.locator(".tool.cancelled").count(), 1);
    await leave(view);
  }));

test("a prompt is sent now to an agent that reads it during the turn", () =>
  Desk.use({ agent: standIn("full", "steers") }, async (desk) => {
    const view = await opened(desk);
    const { page } = view;
    await send(view, "cook");
    await page.locator(".agent", { hasText: "cook" }).waitFor();
    for (const text of ["late", "end"]) {
      await send(view, text);
      await queued(view, text).waitFor();
    }
    await queued(view, "late").getByRole("button", { name: /^Send now/ }).click();
    await queued(view, "late").getByText("Sent, not read yet").waitFor();
    assert.equal(await queued(view, "late").getByRole("button").count(), 0);
    await view.screenshot("queue-steering");
    await queued(view, "end").getByRole("button", { name: /^Send now/ }).click();
    await page.locator(".agent", { hasText: /^late/ }).waitFor();
    await idle(view);
    assert.deepEqual(await said(view), ["cook", "end", "late"]);
    await view.screenshot("steered");
    await leave(view);
  }));

test("a prompt typed while the agent starts is sent when it is ready, unless edited or the start failed", async () => {
  const view = await View.open({ height: 500 });
  const { page } = view;
  const box = page.locator(".prompt textarea");
  const prompts = async () => (await view.all()).filter(({ type }) => type === "prompt").map((message) => message.type === "prompt" && message.text);
  await view.post(chat([], { status: "starting" }), { type: "focus" });
  await page.keyboard.type("tea");
  await page.keyboard.press("Enter");
  assert.equal(await page.getByTitle("Sent when the agent is ready").count(), 1);
  await view.screenshot("entered");
  assert.deepEqual([await prompts(), await box.inputValue()], [[], "tea"]);
  await view.post(chat([], { status: "idle" }));
  assert.deepEqual([await prompts(), await box.inputValue()], [["tea"], ""]);

  await view.post(chat([], { status: "starting" }));
  await page.keyboard.type("milk");
  await page.keyboard.press("Enter");
  await page.keyboard.type(" and");
  await view.post(chat([], { status: "idle" }));
  assert.deepEqual([await prompts(), await box.inputValue()], [["tea"], "milk and"]);

  await view.post(chat([], { status: "starting" }));
  await page.keyboard.press("Enter");
  await view.post(chat([], { status: "failed" }));
  await view.post(chat([], { status: "idle" }));
  assert.deepEqual([await prompts(), await box.inputValue()], [["tea"], "milk and"]);
  await view.close();
});
