import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { Server } from "./server.js";
import { leaveBrowser } from "../browser.js";
import { Window } from "./window.js";

// The agent creates a file when it starts.
const agent = join(import.meta.dirname, "../../../test/chat/agents/marks.mjs");

let server: Server;
let window: Window;
let folder: string;

before(async () => {
  server = await Server.start({
    "turnwire.agents": {
      marks: { args: ["acp", "--agent", "acp", "--", process.execPath, agent, "started"] },
      absent: { args: ["acp", "--agent", "acp", "--", "/no/such/agent"] },
    },
    "turnwire.agent": "marks",
  });
  folder = await server.workspace("open", {});
  window = await Window.open(server, folder);
});

after(async () => {
  await leaveBrowser();
  await server?.stop();
});

function pictured(name: string, run: () => Promise<void>): void {
  test(name, async () => {
    try {
      await run();
    } catch (error) {
      await window.picture(`failed: ${name}`);
      throw error;
    }
  });
}

const mode = (): ReturnType<Window["chat"]["locator"]> => window.chat.locator('.prompt .picker-button:not([aria-label^="Agent: "])').first();
const badge = () => window.page.locator(".activitybar .action-item", { has: window.page.locator('[aria-label*="Turnwire"]') }).locator(".badge-content");

pictured("the agent starts when the chat is opened, and shows what it has before the first prompt", async () => {
  assert.equal(existsSync(join(folder, "started")), false, "it has started with the window");
  await window.openChat();
  await mode().getByText("Ask").waitFor();
  await window.chat.getByRole("button", { name: "Commands" }).waitFor();
  assert.ok(existsSync(join(folder, "started")));
  await window.picture("opened before a prompt");
});

pictured("the mode that was chosen survives a reload of the window, and holds for new chats", async () => {
  await mode().click();
  await window.chat.getByRole("option", { name: "Code" }).click();
  await mode().getByText("Code").waitFor();
  await window.reload();
  await window.openChat();
  await mode().getByText("Code").waitFor();
  await window.newChat();
  await mode().getByText("Code").waitFor();
});

pictured("the list of chats names the agent", async () => {
  await window.chat.getByRole("button", { name: "Chats" }).click();
  await window.chat.getByRole("heading", { name: "Chats with marks" }).waitFor();
  await window.picture("chats of an agent");
  await window.page.keyboard.press("Escape");
});

pictured("the activity bar shows that a request waits for the user", async () => {
  await window.chooseAgent("workspace");
  await window.chat.getByRole("heading", { name: /^Chat with Turnwire Workspace/ }).waitFor();
  await window.focused();
  await window.say("/run echo no");
  await window.chat.getByRole("button", { name: /^Allow/ }).waitFor();
  await window.hideChat();
  await badge().getByText("1", { exact: true }).waitFor();
  await window.notification.waitFor();
  const buttons = await window.notification.locator(".notification-list-item-buttons-container a, .notification-list-item-buttons-container button").allInnerTexts();
  assert.deepEqual(buttons.filter((text) => text.trim() !== ""), ["Review…"]);
  await window.picture("badge and notification");
  await window.notification.getByRole("button", { name: "Review…" }).click();
  await window.notification.getByRole("button", { name: "Open Chat" }).click();
  await window.chat.getByRole("button", { name: /^Reject/ }).click();
  await badge().waitFor({ state: "hidden" });
});

pictured("an agent that cannot be started says what helps", async () => {
  await window.chooseAgent("absent");
  const error = window.chat.locator(".notice.error");
  await error.waitFor();
  await window.picture("not started");
  await error.getByRole("button", { name: "Restart agent" }).waitFor();
  await error.getByRole("button", { name: "Show log" }).click();
  await window.page.locator(".pane-body.output-view, .output-view").first().waitFor();
  await error.getByRole("button", { name: "Open settings" }).click();
  await window.page.locator(".settings-editor .setting-item-label", { hasText: "Command" }).waitFor();
  await window.picture("settings from the chat");
});
