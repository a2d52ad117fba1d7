/**
 * The view is accessible to everybody: in every theme, at every width, by
 * keyboard, with a screen reader.
 */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Item } from "../../src/shared/model.js";
import { assertAccessible, loadAxe } from "./axe.js";
import { asking, chat, everything, session, wanted } from "./chats.js";
import { themes, type ThemeName } from "./themes.js";
import { leaveBrowser } from "../browser.js";
import { View } from "./view.js";

after(leaveBrowser);

const more: Item[] = [
  { type: "notice", id: "n1", severity: "error", title: "The agent stopped (exit status 3).", description: "out of memory", retry: true },
  { type: "notice", id: "n2", severity: "warning", title: "The context is nearly full." },
  { type: "notice", id: "n3", severity: "info", title: "The agent knows nothing of what was said before." },
  { type: "question", id: "q1", message: "Which of them?", fields: [
    { name: "a", label: "Colour", required: true, input: { kind: "choice", choices: [{ value: "r", label: "Red" }, { value: "g", label: "Green" }] } },
    { name: "b", label: "Name", description: "As it stands in the file.", required: false, input: { kind: "text", multiline: false } },
    { name: "c", label: "Key", required: false, input: { kind: "text", multiline: false, secret: true } },
  ] },
  wanted,
];

for (const theme of Object.keys(themes) as ThemeName[]) {
  test(`in the ${theme} theme, everything has a name, a role and enough contrast`, async () => {
    const view = await View.open({ theme, height: 1500 });
    await loadAxe(view);
    await view.post(chat([...everything(), ...asking], { status: "running" }));
    await view.screenshot(`turn-${theme}`);
    await assertAccessible(view, "a turn");
    await view.post(chat(more));
    await view.page.getByRole("button", { name: "Chats" }).click();
    await view.post({ type: "sessions", first: true, last: true, sessions: [
      { id: "1", title: "Read the notes and add to them", current: true, canRename: true, canDelete: true, updatedAt: new Date().toISOString() },
      { id: "2", title: "Why does Find return an empty value?", current: false, canRename: true, canDelete: true, updatedAt: new Date(Date.now() - 7_200_000).toISOString() },
      { id: "3", title: "Draw a picture", current: false, canRename: false, canDelete: false },
    ] });
    await view.page.keyboard.press("ArrowDown");
    await assertAccessible(view, "the list of chats");
    await view.page.setViewportSize({ width: 420, height: 600 });
    await view.screenshot(`chats-${theme}`);
    await view.page.keyboard.press("Escape");
    await view.page.locator(".prompt textarea").pressSequentially("/r");
    await assertAccessible(view, "notices, a question, commands");
    await view.screenshot(`commands-${theme}`);
    await view.page.keyboard.press("Escape");
    await view.page.getByRole("combobox", { name: "Model: Large" }).click();
    await assertAccessible(view, "a picker");
    await view.screenshot(`picker-${theme}`);
    await view.close();
  });
}

test("a view as narrow as 300 pixels and one as wide as a window show everything", async () => {
  for (const [name, width] of [["narrow", 300], ["wide", 1200]] as const) {
    const view = await View.open({ width, height: 1500 });
    await view.post(chat([...everything(), ...asking], { status: "running" }));
    await view.screenshot(`turn-${name}`);
    assert.equal(await view.page.evaluate(() => document.documentElement.scrollWidth), width);
    const wider = await view.page.locator(".log").evaluate((log) => log.scrollWidth - log.clientWidth);
    assert.equal(wider, 0);
    await view.post(chat([]));
    await view.page.setViewportSize({ width, height: 640 });
    await view.screenshot(`welcome-${name}`);
    await view.close();
  }
});

test("forced colours leave every control its outline, and reduced motion stops what moves", async () => {
  const view = await View.open({ forcedColors: true, reducedMotion: true, height: 1500 });
  await view.post(chat([...everything(), ...asking], { status: "running" }));
  await view.screenshot("turn-forced-colors");
  const borders = await view.page.locator(".button, .send").evaluateAll((all) => all.map((one) => getComputedStyle(one).borderTopWidth));
  assert.ok(borders.every((width) => width === "1px"), borders.join(" "));
  const moving = await view.page.evaluate(() => document.getAnimations().filter((one) => one.playState === "running").length);
  assert.equal(moving, 0);
  await view.close();
});

test("Tab goes from the chats' buttons through the chat to the prompt", async () => {
  const view = await View.open();
  await view.post(chat(asking, { status: "running", agents: ["Workspace"], options: [] }));
  const order: string[] = [];
  for (let i = 0; i < 12; i++) {
    await view.page.keyboard.press("Tab");
    order.push(await view.page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent?.trim() ?? ""));
  }
  assert.deepEqual(order, [
    "Keyboard shortcuts", "Chats", "New chat", "Chat", "rm -r build && makeWaiting for your answer", "Command",
    "Allow1", "Always allow make2", "Reject3", "Message Workspace", "Mention a file", "Commands",
  ]);
  await view.close();
});

test("arrows walk through the chat, Enter opens and closes, Escape leads back", async () => {
  const view = await View.open();
  await view.post(chat(everything()), { type: "focus" });
  const at = () => view.page.evaluate(() => document.activeElement?.getAttribute("data-id"));
  await view.page.keyboard.press("Alt+ArrowUp");
  assert.equal(await at(), "c4");
  await view.page.keyboard.press("Home");
  await view.page.keyboard.press("ArrowDown");
  assert.equal(await at(), "t1");
  await view.page.keyboard.press("Enter");
  assert.equal(await view.page.locator(".thought-text").count(), 1);
  await view.page.keyboard.press("Enter");
  assert.equal(await view.page.locator(".thought-text").count(), 0);
  await view.page.keyboard.press("Escape");
  assert.equal(await view.page.evaluate(() => document.activeElement?.localName), "textarea");
  await view.close();
});

test("a screen reader hears whole messages and open requests, not the stream", async () => {
  const view = await View.open();
  await view.post(chat([{ type: "message", id: "m", text: "", blocks: [] }], { status: "running" }));
  const { page } = view;
  const log = page.getByRole("log");
  assert.equal(await log.getAttribute("aria-live"), "off");
  assert.equal(await log.getAttribute("aria-busy"), "true");
  const [, call] = asking;
  assert.ok(call);
  await view.post({ type: "changes", revision: 2, changes: [{ type: "text", id: "m", text: "All is well." }, { type: "item", item: call }] });
  assert.match(await page.getByRole("alert").innerText(), /^Permission needed: rm -r build && make/);
  const status = page.locator(".unseen[role=status]");
  assert.equal(await status.innerText(), "", "a piece of the stream was said");
  await view.post({ type: "changes", revision: 3, changes: [{ type: "session", session: session({ status: "idle" }) }] });
  await page.getByRole("status").getByText("Done. All is well.").waitFor();
  assert.equal(await log.getAttribute("aria-busy"), "false");
  await view.close();
});

test("a screen reader hears that a turn failed, and why", async () => {
  const view = await View.open();
  await view.post(chat([{ type: "message", id: "m", text: "Half of it.", blocks: [] }], { status: "running" }));
  await view.post({
    type: "changes", revision: 2,
    changes: [
      { type: "item", item: { type: "notice", id: "n", severity: "error", title: "The turn failed.", description: "The server was restarted." } },
      { type: "item", item: { type: "notice", id: "o", severity: "info", title: "The connection is back." } },
      { type: "session", session: session({ status: "idle" }) },
    ],
  });
  await view.page.getByRole("status").getByText("Failed. The turn failed. The server was restarted.").waitFor();
  await view.close();
});

test("a screen reader hears prose and not Markdown", async () => {
  const view = await View.open();
  const text = `## What I *found*\n\nIt is **not** in [\`cache.go\`](cache.go:4),\nbut here:\n\n\`\`\`go\na\nb\n\`\`\`\n\n| call | result |\n|---|---|\n| \`Find\` | error |\n\n- [x] fixed\n- [ ] tested\n- ~~gone~~\n\n> That \\*was\\* all &amp; more!`;
  await view.post(chat([{ type: "message", id: "m", text, blocks: [] }], { status: "running" }));
  await view.post({ type: "changes", revision: 2, changes: [{ type: "session", session: session({ status: "idle" }) }] });
  const said = await view.page.getByRole("status").filter({ hasText: "Done." }).innerText();
  assert.equal(said, "Done. What I found. It is not in cache.go, but here: Code in go, 2 lines. call, result. Find, error. Done: fixed. Not done: tested. gone. That *was* all & more!");
  await view.post(chat([{ type: "message", id: "m", text: "**word** ".repeat(5000), blocks: [] }], { status: "running" }));
  await view.post({ type: "changes", revision: 2, changes: [{ type: "session", session: session({ status: "idle" }) }] });
  const long = await view.page.getByRole("status").filter({ hasText: "Done." }).innerText();
  assert.ok(long.length < 2100, `${long.length} characters are read out`);
  assert.doesNotMatch(long, /\*/);
  await view.close();
});
