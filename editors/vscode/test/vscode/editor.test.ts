import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { Server } from "./server.js";
import { leaveBrowser } from "../browser.js";
import { pick } from "../quickInput.js";
import { Window } from "./window.js";

// Stand-ins for agents use the editor for what Turnwire does itself.
const agents = join(import.meta.dirname, "../../../test/chat/agents");
const standIn = (...args: string[]): { args: string[] } => ({ args: [join(agents, "full.mjs"), ...args] });

let server: Server;
let window: Window;
let folder: string;

before(async () => {
  server = await Server.start({
    "security.workspace.trust.enabled": true,
    "security.workspace.trust.startupPrompt": "never",
    "turnwire.command": process.execPath,
    "turnwire.agents": { asks: standIn("asks"), echo: standIn("echo") },
    "turnwire.agent": "asks",
  });
  folder = await server.workspace("editor", { "lines.txt": "one\r\ntwo\r\n", "code.py": "a = 1\nb = 2\n" });
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

pictured("no agent is started before the workspace is trusted", async () => {
  await window.openChat();
  await window.said("Agents start only in trusted workspaces");
  await window.picture("untrusted");
  await window.command("Workspaces: Manage Workspace Trust");
  await window.page.locator(".workspace-trust-editor").getByRole("button", { name: "Trust", exact: true }).click();
  await window.openChat();
  await window.chat.getByPlaceholder("Message asks").waitFor();
});

pictured("a file written by the agent keeps its line ends, and undo restores it", async () => {
  const path = join(folder, "lines.txt");
  await window.say(JSON.stringify(["fs/write_text_file", { path, content: "one\n2\nthree\n" }]));
  await window.said("{}");
  assert.equal(await readFile(path, "utf8"), "one\r\n2\r\nthree\r\n");
  await window.openFile("lines.txt");
  await window.editor.click();
  await window.page.keyboard.press("Control+z");
  await window.editor.getByText("three").waitFor({ state: "detached" });
  await window.page.keyboard.press("Control+s");
  await window.page.locator(".tab.active.dirty").waitFor({ state: "detached" });
  assert.equal(await readFile(path, "utf8"), "one\r\ntwo\r\n");
});

pictured("a command of the agent is a terminal of the editor", async () => {
  await window.openChat();
  const code = "console.log('from the agent'.toUpperCase())";
  await window.say(JSON.stringify(["terminal/create", { command: process.execPath, args: ["-e", code] }]));
  await window.said('"exitCode":0');
  await window.command("Terminal: Focus Terminal");
  await window.page.locator(".terminal-wrapper.active .xterm-rows").getByText("FROM THE AGENT").first().waitFor();
  await window.picture("terminal");
});

pictured("the agent of an empty chat is chosen below the prompt, and what was typed stays", async () => {
  await window.newChat();
  await window.prompt.fill("Half a sentence");
  await window.picture("picker for the agent");
  await pick(window.page, "echo", () => window.chat.getByRole("button", { name: "Agent: asks" }).click());
  await window.chat.getByPlaceholder("Message echo").waitFor();
  assert.equal(await window.prompt.inputValue(), "Half a sentence");
  await window.say("Hello.");
  await window.chat.getByRole("button", { name: /^Agent: / }).waitFor({ state: "detached" });
});

pictured("a selection of the editor goes along as a resource", async () => {
  await window.focused();
  await window.openFile("code.py");
  await window.editor.click();
  await window.page.keyboard.press("Control+Home");
  await window.page.keyboard.press("Shift+ArrowDown");
  await window.command("Turnwire: Attach Selection to Chat");
  await window.said("code.py:1");
  await window.say("Look.");
  await window.said(/"text":"a = 1\\n"/);
  await window.picture("selection");
});
