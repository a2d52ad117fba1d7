import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test, type TestOptions } from "node:test";

import type { Frame, Page } from "playwright-core";

import { Server } from "./server.js";
import { eventually } from "../patience.js";
import { leaveBrowser } from "../browser.js";
import { Window } from "./window.js";

let server: Server;
let window: Window;
let folder: string;

before(async () => {
  server = await Server.start();
  folder = await server.workspace("several", {});
  window = await Window.open(server, folder);
});

after(async () => {
  await leaveBrowser();
  await server?.stop();
});

function pictured(name: string, run: () => Promise<void>, options: TestOptions = {}): void {
  test(name, options, async () => {
    try {
      await run();
    } catch (error) {
      await window.picture(`failed: ${name}`);
      throw error;
    }
  });
}

const badge = () => window.page.locator(".activitybar .action-item", { has: window.page.locator('[aria-label*="Turnwire"]') }).locator(".badge-content");
const entry = (title: string) => window.chat.locator(".session", { hasText: title });
const listChats = () => window.chat.getByRole("button", { name: /^Chats/ }).click();

pictured("a chat that is left goes on and waits, and coming back shows it", async () => {
  await window.newChat();
  await window.say("/run echo done > waited.txt");
  await window.chat.getByRole("button", { name: /^Allow/ }).waitFor();
  await window.newChat();
  await window.chat.getByRole("button", { name: "Chats, 1 other chat waits for you" }).waitFor();
  await badge().getByText("1", { exact: true }).waitFor();
  await listChats();
  await entry("waited.txt").getByText("waiting for you").waitFor();
  await window.picture("other chat waits");
  await entry("waited.txt").locator(".session-open").click();
  await window.chat.getByRole("button", { name: /^Allow/ }).click();
  await window.said("All done");
  await badge().waitFor({ state: "hidden" });
});

pictured("the list shows that a chat runs, and that it is done", async () => {
  await window.newChat();
  await window.say("/say Started.\n/run until [ -e go ]; do sleep 0.1; done; echo it went on");
  await window.chat.getByRole("button", { name: /^Allow/ }).click();
  await window.said("Started.");
  await window.newChat();
  await window.say("/say Meanwhile.");
  await window.said("Meanwhile.");
  await listChats();
  await entry("Started").getByText("running").waitFor();
  await window.picture("other chat runs");
  await writeFile(join(folder, "go"), "");
  await entry("Started").getByText("done").waitFor();
  await window.picture("other chat is done");
  await entry("Started").locator(".session-open").click();
  await window.said("All done");
  await window.said("Started.");
});

async function closeEditors(): Promise<void> {
  await window.command("View: Close All Editors");
  await window.page.locator(".tab").waitFor({ state: "detached" });
}

/** Waits for the chat with that title, wherever it is. */
function titled(page: Page, title: string): Promise<Frame> {
  return eventually(async () => {
    for (const frame of page.frames()) {
      if (await frame.locator(".chat-title").getByText(title, { exact: true }).isVisible().catch(() => false)) return frame;
    }
    return undefined;
  }, () => `no chat has the title ${title}`);
}

async function say(chat: Frame, text: string): Promise<void> {
  await chat.locator("textarea").first().fill(text);
  await chat.getByRole("button", { name: "Send" }).click();
}

/** Makes a chat in the side bar and another one in an editor tab. */
async function chatsIn(sideBar: string, tab: string): Promise<void> {
  await window.newChat();
  await window.say(sideBar);
  await window.said("All done");
  await window.command("Turnwire: New Chat in Editor");
  await say(await titled(window.page, "New chat"), tab);
  await answered(tab);
  await titled(window.page, sideBar);
}

/** Waits until the chat with that title shows its answer. */
async function answered(title: string): Promise<void> {
  await (await titled(window.page, title)).getByText("All done: 1 step.", { exact: true }).waitFor();
}

pictured("a chat in an editor tab is another one, and comes back there after a reload", async () => {
  await chatsIn("/say Here.", "/say There.");
  await window.page.locator(".tab", { hasText: "/say There." }).waitFor();
  await window.picture("chat in an editor");
  await window.storedTab("turnwire.panel");
  await window.reload();
  await answered("/say There.");
  await answered("/say Here.");
});

function runs(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

// A window's extensions may run on for a while after a reload.
pictured("chats come back after a reload although the extensions from before still run", async () => {
  await closeEditors();
  await chatsIn("/say Early.", "/say Late.");
  await window.storedTab("turnwire.panel");
  const before = server.extensionHosts();
  try {
    for (const host of before) process.kill(host, "SIGSTOP");
    await window.reload();
    await eventually(async () => ((await opening()) === 2 ? true : undefined), () => "the two chats are not being opened");
    await window.picture("chats that are still open before a reload");
  } finally {
    for (const host of before) process.kill(host, "SIGCONT");
  }
  await answered("/say Early.");
  await answered("/say Late.");
  await eventually(() => (before.some(runs) ? undefined : true), () => "the extensions from before the reload still run");
  await window.reload();
  await answered("/say Early.");
  await answered("/say Late.");
}, { skip: process.platform !== "linux" });

/** Returns the number of chats that wait until they can be opened. */
async function opening(): Promise<number> {
  const shown = await Promise.all(window.page.frames().map((frame) => frame.getByText("Opening this chat…").isVisible().catch(() => false)));
  return shown.filter(Boolean).length;
}

pictured("an output that is cut in the chat opens whole in an editor", async () => {
  await closeEditors();
  await window.newChat();
  await window.say("/run seq 1 50000");
  await window.chat.getByRole("button", { name: /^Allow/ }).click();
  await window.said("All done");
  await window.picture("output that is cut");
  await window.chat.getByRole("button", { name: "Open all of it" }).click();
  await window.editor.waitFor();
  await window.page.keyboard.press("Control+End");
  await window.editor.getByText("50000", { exact: true }).waitFor();
  await window.picture("output in an editor");
});

pictured("a chat opens in a window of its own", async () => {
  await closeEditors();
  await window.newChat();
  await window.say("/say Apart.");
  await window.said("Apart.");
  const opened = window.page.context().waitForEvent("page");
  await window.command("Turnwire: Open Chat in New Window");
  const other = await opened;
  await say(await titled(other, "/say Apart."), "/say Together.");
  await window.said("Together.");
  await window.picture("chat in two windows");
});
