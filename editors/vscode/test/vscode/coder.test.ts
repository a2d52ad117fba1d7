import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { leaveBrowser } from "../browser.js";
import { coder, right, wrong } from "../coder.js";
import { Server } from "./server.js";
import { Window } from "./window.js";

let server: Server;

before(async () => {
  server = await Server.start({ "turnwire.agents": { Coder: { args: ["acp", "--", ...coder] } }, "turnwire.agent": "Coder" });
});

after(async () => {
  await leaveBrowser();
  await server?.stop();
});

test("the example with a model reads, edits and runs", async () => {
  const folder = await server.workspace("coder", { "sum.py": wrong });
  const onDisk = (): Promise<string> => readFile(join(folder, "sum.py"), "utf8");
  const window = await Window.open(server, folder);
  const allow = (what: string) => window.chat.getByRole("group", { name: `Permission request: ${what}` }).getByRole("button", { name: /^Allow/ });
  try {
    await window.openFile("sum.py");
    await window.newChat();
    await window.say("Fix the sum.");
    await window.said(/Read sum\.py/);
    await allow("Edit sum.py").waitFor();
    await window.picture("coder asks to edit");
    assert.equal(await onDisk(), wrong, "it was edited before it was allowed");
    await allow("Edit sum.py").click();
    await allow("Run python3 sum.py").waitFor();
    await window.picture("coder asks to run");
    await window.editor.getByText("a + b").waitFor();
    assert.equal(await onDisk(), right);
    await allow("Run python3 sum.py").click();
    await window.said("The program says 2 + 3 = 5.");
    await window.picture("coder is done");
  } catch (error) {
    await window.picture("failed coder");
    throw error;
  }
});

test("the example with a model learns which changes were refused", async () => {
  const folder = await server.workspace("coder parts", { "sum.py": wrong });
  const window = await Window.open(server, folder);
  try {
    await window.openFile("sum.py");
    await window.newChat();
    await window.say("Edit it in parts.");
    await window.chat.getByRole("button", { name: "Accept change 2 of 2" }).click();
    await window.picture("coder asks for parts");
    await window.chat.getByRole("button", { name: "Allow 1 of 2 changes" }).click();
    await window.said(/The tool says/);
    await window.chat.getByText("Allowed 1 of 2 changes").filter({ visible: true }).waitFor();
    await window.chat.getByText(/The user refused the rest of the change/).nth(1).waitFor(); // the agent repeats what the tool shows
    await window.editor.getByText("a + b").waitFor();
    assert.equal(await readFile(join(folder, "sum.py"), "utf8"), right);
    await window.picture("coder made a part");
  } catch (error) {
    await window.picture("failed coder parts");
    throw error;
  }
});
