import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { Server } from "./server.js";
import { leaveBrowser } from "../browser.js";
import { Window } from "./window.js";

let server: Server;
let window: Window;
let folder: string;

before(async () => {
  server = await Server.start();
  const files = ["allowed.txt", "rejected.txt", "unsaved.txt", "hidden.txt"];
  folder = await server.workspace("turns", Object.fromEntries(files.map((name) => [name, "one\n"])));
  window = await Window.open(server, folder);
});

after(async () => {
  await leaveBrowser();
  await server?.stop();
});

const onDisk = (name: string): Promise<string> => readFile(join(folder, name), "utf8");

/** Defines a test in a new chat; takes a screenshot if it fails. */
function chatting(name: string, run: () => Promise<void>): void {
  test(name, async () => {
    try {
      await window.newChat();
      await run();
    } catch (error) {
      await window.picture(`failed: ${name}`);
      throw error;
    }
  });
}

chatting("a call allowed by a button in the chat runs, and can be undone", async () => {
  await window.say("/think Let me see.\n/append allowed.txt two");
  await window.chat.getByRole("button", { name: /^Allow/ }).waitFor();
  await window.picture("asked");
  assert.equal(await onDisk("allowed.txt"), "one\n", "it was written before it was allowed");
  await window.chat.getByRole("button", { name: /^Allow/ }).click();
  await window.said("All done");
  assert.equal(await onDisk("allowed.txt"), "one\ntwo\n");

  await window.openFile("allowed.txt");
  await window.picture("allowed");
  await window.editor.click();
  await window.page.keyboard.press("Control+z");
  await window.editor.getByText("two").waitFor({ state: "detached" });
  assert.match(await window.editor.innerText(), /one/);
  await window.page.keyboard.press("Control+s");
});

chatting("a rejected call is not run", async () => {
  await window.say("/append rejected.txt two");
  await window.chat.getByRole("button", { name: /^Reject/ }).click();
  await window.said(/Rejected|refused/);
  await window.picture("rejected");
  assert.equal(await onDisk("rejected.txt"), "one\n");
});

chatting("the agent reads unsaved text and leaves it unsaved", async () => {
  await window.openFile("unsaved.txt");
  await window.editor.click();
  await window.page.keyboard.press("Control+End");
  await window.page.keyboard.type("draft");
  await window.openChat();
  await window.say("/read unsaved.txt\n/append unsaved.txt end");
  await window.chat.getByRole("button", { name: /^Allow/ }).click();
  await window.said("All done");
  await window.editor.getByText("end").waitFor();
  assert.match(await window.editor.innerText(), /one\ndraft\nend/);
  assert.equal(await onDisk("unsaved.txt"), "one\n");
  await window.picture("unsaved");
});

chatting("a view that was hidden during a turn shows all of it", async () => {
  await window.say("/say First.\n/append hidden.txt two");
  await window.chat.getByRole("button", { name: /^Allow/ }).waitFor();
  await window.hideChat();
  await window.openChat();
  await window.said("First.");
  await window.chat.getByRole("button", { name: /^Allow/ }).click();
  await window.said("All done");
  assert.equal(await onDisk("hidden.txt"), "one\ntwo\n");
});

chatting("the chat comes back when the window is loaded again", async () => {
  await window.say("/say Remember this.");
  await window.said("All done");
  await window.reload();
  await window.openChat();
  await window.said("Remember this.");
  await window.say("/say And this.");
  await window.said("And this.");
  await window.picture("reloaded");
});

chatting("a turn cut off by a reload is shown as interrupted, and the chat continues", async () => {
  await window.say("/think Let me see.\n/plan Look; Write\n/say Before.\n/append hidden.txt three");
  await window.chat.getByRole("button", { name: /^Allow/ }).waitFor();
  await window.reload();
  await window.openChat();
  await window.said("Before.");
  await window.said("This turn was interrupted.");
  await window.picture("interrupted");
  await window.say("/say After.");
  await window.said("After.");
});

chatting("queued prompts survive a hidden view, and wait after a reload of the window", async () => {
  const chip = window.chat.locator(".queued", { hasText: "/say From the queue." });
  await window.say("/append hidden.txt four");
  await window.chat.getByRole("button", { name: /^Allow/ }).waitFor();
  await window.prompt.fill("/say From the queue.");
  await window.prompt.press("Enter");
  await chip.waitFor();
  await window.hideChat();
  await window.openChat();
  await chip.waitFor();
  await window.reload();
  await window.openChat();
  await window.said("Paused: the chat was interrupted.");
  await window.picture("queue after a reload");
  await chip.getByRole("button", { name: /^Send now/ }).click();
  await window.chat.locator(".agent", { hasText: "From the queue." }).waitFor();
});

chatting("a chat is found in the list, opened and deleted", async () => {
  await window.say("/say Needle.");
  await window.said("All done");
  await window.command("Turnwire: New Chat");
  await window.chat.getByRole("heading", { name: /^Chat with/ }).waitFor();
  const { chat } = window;
  await chat.getByRole("button", { name: "Chats" }).click();
  await chat.locator(".session").nth(3).waitFor();
  await window.picture("chats");
  await chat.locator('input[placeholder="Search chats"]:focus').waitFor();
  await window.page.keyboard.type("needle");
  await window.picture("chats-found");
  await chat.locator(".session-open").filter({ hasText: "/say Needle." }).click();
  await window.said("All done");
  await window.picture("opened");
  await chat.getByRole("button", { name: "Chats" }).click();
  await chat.locator('input[placeholder="Search chats"]:focus').waitFor();
  await window.page.keyboard.type("needle");
  await chat.getByRole("button", { name: "Delete /say Needle." }).click();
  await chat.getByRole("button", { name: "Delete", exact: true }).click();
  await window.page.locator(".monaco-dialog-box").getByRole("button", { name: "Delete" }).click();
  await chat.getByRole("heading", { name: /^Chat with/ }).waitFor();
  await chat.getByRole("button", { name: "Chats" }).click();
  await chat.locator(".session").first().waitFor();
  assert.equal(await chat.locator(".session-open").filter({ hasText: "Needle" }).count(), 0);
  await window.page.keyboard.press("Escape");
});
