/** The list of chats. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { SessionEntry } from "../../src/shared/model.js";
import { chat } from "./chats.js";
import { leaveBrowser } from "../browser.js";
import { View } from "./view.js";

after(leaveBrowser);

test("chats are listed, found, opened, renamed, and deleted only after a confirmation", async () => {
  const view = await View.open();
  const entry = (id: string, title: string, current = false): SessionEntry => ({ id, title, current, canRename: true, canDelete: true, updatedAt: "2026-01-05T10:00:00Z" });
  await view.post(chat([]));
  const { page } = view;
  await page.getByRole("button", { name: "Chats" }).click();
  await view.sent("listSessions");
  await view.post({ type: "sessions", first: true, last: true, sessions: [entry("1", "Read the notes", true), entry("2", "Fix the store"), entry("3", "Draw a picture")] });
  await page.keyboard.type("fix");
  assert.deepEqual(await page.locator(".session-open .session-title").allInnerTexts(), ["Fix the store"]);
  await page.getByRole("button", { name: "Rename Fix the store" }).click();
  await page.keyboard.type("Mend it");
  await page.keyboard.press("Enter");
  assert.deepEqual(await view.sent("renameSession"), { type: "renameSession", id: "2", title: "Mend it" });
  await page.getByRole("button", { name: "Delete Fix the store" }).click();
  await page.keyboard.press("Enter"); // the focus stays
  assert.equal((await view.all()).some((message) => message.type === "deleteSession"), false);
  await page.getByRole("button", { name: "Delete Fix the store" }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  assert.equal((await view.sent("deleteSession")).id, "2");
  await page.getByLabel("Search chats").fill("");
  await page.getByLabel("Search chats").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  assert.equal((await view.sent("openSession")).id, "3");
  assert.equal(await page.locator(".panel").count(), 0);
  await view.close();
});

test("a long list comes page by page and is drawn in parts, and an empty list says so", async () => {
  const view = await View.open();
  await view.post(chat([]));
  const { page } = view;
  await page.getByRole("button", { name: "Chats" }).click();
  await page.getByText("Loading chats").waitFor();
  const some = (from: number, n: number): SessionEntry[] =>
    Array.from({ length: n }, (_, i) => ({ id: String(from + i), title: `Chat ${from + i}`, folder: "store", current: false, canRename: false, canDelete: true }));
  await view.post({ type: "sessions", first: true, last: false, sessions: some(0, 150) });
  await view.post({ type: "sessions", first: false, last: true, sessions: some(150, 150) });
  await page.locator(".session").nth(199).waitFor();
  assert.equal(await page.locator(".session").count(), 200);
  await page.getByRole("button", { name: "Show more of 300 chats" }).click();
  assert.equal(await page.locator(".session").count(), 300);
  assert.equal(await page.getByRole("button", { name: /^Rename/ }).count(), 0);
  await page.getByLabel("Search chats").fill("chat 299");
  assert.deepEqual(await page.locator(".session-open").allInnerTexts().then((all) => all.map((t) => t.replace(/\s+/g, " "))), ["Chat 299 store"]);
  // Searching or scrolling requests the rest of the list.
  await page.getByLabel("Search chats").fill("");
  await view.post({ type: "sessions", first: true, last: true, more: true, sessions: some(0, 250) });
  assert.equal((await view.all()).some((message) => message.type === "moreSessions"), false);
  await page.getByLabel("Search chats").fill("chat 4");
  await view.sent("moreSessions");
  await view.post({ type: "sessions", first: false, last: true, sessions: some(250, 250) });
  await page.getByText("Chat 499").waitFor();
  await view.post({ type: "sessions", first: true, last: true, sessions: [], note: "This agent does not save chats." });
  await page.getByText("This agent does not save chats.").waitFor();
  await view.close();
});
