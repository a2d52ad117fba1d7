import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { leaveBrowser } from "../browser.js";
import { Server } from "./server.js";
import { Window } from "./window.js";

let server: Server;

before(async () => {
  const agent = join(import.meta.dirname, "../../../test/page/agent.mjs");
  server = await Server.start({ "turnwire.agents": { Draws: { args: ["acp", "--agent", "acp", "--", process.execPath, agent] } }, "turnwire.agent": "Draws" });
});

after(async () => {
  await leaveBrowser();
  await server?.stop();
});

test("formulas and diagrams are shown in the webview", async () => {
  const folder = await server.workspace("drawings", {});
  const answer = join(folder, "answer.md");
  writeFileSync(answer, "The energy is $E = mc^2$.\n\n```mermaid\nflowchart TD\n  Editor --> Turnwire --> Agent\n```\n\nThat is all.");
  const window = await Window.open(server, folder);
  try {
    await window.newChat();
    await window.say(`until ${answer}`);
    await window.said("That is all.");
    await window.chat.locator(".agent math").waitFor();
    await window.chat.locator(".agent .diagram-view img").waitFor();
    await window.picture("drawings");
    await window.chat.locator(".agent .diagram-view").click();
    await window.chat.locator("dialog img").waitFor();
    await window.page.keyboard.press("Escape");
    await window.chat.locator("dialog").waitFor({ state: "detached" });
  } catch (error) {
    await window.picture("failed drawings");
    throw error;
  }
});
