import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { Server } from "./server.js";
import { leaveBrowser } from "../browser.js";
import { Window } from "./window.js";

const agent = join(import.meta.dirname, "../../../test/chat/agents/login.mjs");

let server: Server;

before(async () => {
  const args = ["acp", "--agent", "acp", "--", process.execPath, agent, "logged-in", "new"];
  server = await Server.start({ "turnwire.agents": { Tea: { args } }, "turnwire.agent": "Tea" });
});

after(async () => {
  await leaveBrowser();
  await server?.stop();
});

test("a login runs in a terminal of the editor, and the session starts after it", async () => {
  const folder = await server.workspace("login", {});
  const window = await Window.open(server, folder);
  try {
    await window.command("Turnwire: Open Chat");
    const chosen = window.chat.getByRole("button", { name: "In a terminal", exact: true });
    await chosen.waitFor();
    await window.picture("login offered");
    assert.equal(existsSync(join(folder, "logged-in")), false);
    await window.chat.getByRole("button", { name: "In a terminal, and fails" }).click();
    await window.said("The login command failed (exit status 3).");
    await chosen.click();
    await window.said("Logged in: In a terminal");
    assert.ok(existsSync(join(folder, "logged-in")));
    await window.say("go");
    await window.said("Done.");
    await window.picture("logged in");
    await window.command("Turnwire: Log Out of Agent…");
    await window.page.locator(".monaco-dialog-box").getByRole("button", { name: "Log Out" }).click();
    await window.said("Logged out.");
    assert.equal(existsSync(join(folder, "logged-in")), false);
  } catch (error) {
    await window.picture("failed login");
    throw error;
  }
});
