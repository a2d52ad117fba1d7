/** Actions for messages. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Item } from "../../src/shared/model.js";
import { Desk, standIn } from "../chat/desk.js";
import { leaveBrowser } from "../browser.js";
import { answer, session } from "./chats.js";
import { idle, leave, opened, send } from "./live.js";
import { View } from "./view.js";

after(leaveBrowser);

const image = { kind: "image", label: "dot.png", uri: "", data: "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==" } as const;
const file = { kind: "file", label: "notes.txt", uri: "file:///work/notes.txt" } as const;

test("a message is copied as Markdown, and the user's is put into the prompt with its attachments", async () => {
  const view = await View.open({ height: 700 });
  const { page } = view;
  const items: Item[] = [
    { type: "user", id: "user:1", text: "What is in **these**?", attachments: [file, image] },
    { type: "message", id: "message:1", text: answer, blocks: [] },
  ];
  await view.post({ type: "chat", revision: 1, chat: { session: session(), items } });
  await page.locator(".agent").hover();
  await page.locator(".agent").getByRole("button", { name: "Copy as Markdown" }).click();
  assert.deepEqual(await view.sent("copy"), { type: "copy", text: answer });
  const user = page.locator(".user");
  await user.hover();
  await view.screenshot("message-tools");
  await page.locator(".prompt textarea").fill("Typed before");
  await user.getByRole("button", { name: "Edit and send again" }).click();
  const prompt = page.locator(".prompt textarea");
  assert.equal(await prompt.inputValue(), "What is in **these**?\n\nTyped before");
  assert.equal(await page.locator(".prompt .attached").count(), 2);
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), "TEXTAREA");
  await prompt.fill("What is in them?");
  await page.keyboard.press("Enter");
  assert.deepEqual(await view.sent("prompt"), { type: "prompt", text: "What is in them?", attachments: [file, image] });
  assert.deepEqual(await view.violations(), []);
  await view.close();
});

test("a message is sent again by the keyboard, as it was", () =>
  Desk.use({ agent: standIn("full", "echo") }, async (desk) => {
    const view = await opened(desk);
    const { page } = view;
    await send(view, "First.");
    await idle(view);
    await send(view, "Second.");
    await idle(view);
    const first = page.locator(".item-user").first();
    await first.focus();
    for (let n = 0; n < 3; n++) await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "Send again");
    await page.keyboard.press("Enter");
    await page.locator(".item-user").nth(2).waitFor();
    await idle(view);
    assert.deepEqual(await page.locator(".user-text").allInnerTexts(), ["First.", "Second.", "First."]);
    await leave(view);
  }));

test("a message at which the session can be forked goes on in a new chat", async () => {
  const view = await View.open({ height: 700 });
  const { page } = view;
  const changes = (id: string, undo: boolean): Item => ({ type: "changes", id, files: [{ path: "/work/a.txt", label: "a.txt", added: 1, removed: 0, created: false }], review: undo, undo });
  const items: Item[] = [
    { type: "user", id: "user:1", text: "First", attachments: [], cursor: "c1" },
    changes("changes:1", true),
    { type: "user", id: "user:2", text: "Second", attachments: [], cursor: "c2" },
    { type: "message", id: "message:1", text: answer, blocks: [] },
  ];
  await view.post({ type: "chat", revision: 1, chat: { session: session(), items } });
  const [first, second] = [page.locator(".user").first(), page.locator(".user").nth(1)];
  const undoing = { name: "Edit and go on from here, and undo the later changes" };
  await first.hover();
  await view.screenshot("message-rewind");
  await first.getByRole("button", { name: "Edit and go on from here", exact: true }).click();
  assert.deepEqual(await view.sent("rewind"), { type: "rewind", id: "user:1", undo: false });
  await second.hover();
  assert.equal(await second.getByRole("button", undoing).count(), 0, "there are no later changes");
  await first.hover();
  await first.getByRole("button", undoing).click();
  assert.deepEqual(await view.sent("rewind"), { type: "rewind", id: "user:1", undo: true });
  await view.post({ type: "changes", revision: 2, changes: [{ type: "item", item: changes("changes:1", false) }] });
  await first.getByRole("button", undoing).waitFor({ state: "detached" });
  await view.post({ type: "changes", revision: 3, changes: [{ type: "item", item: { type: "user", id: "user:2", text: "Second", attachments: [] } }] });
  await second.hover();
  await second.getByRole("button", { name: "Edit and send again" }).waitFor();
  assert.deepEqual(await view.violations(), []);
  await view.close();
});
