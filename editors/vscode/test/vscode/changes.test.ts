import assert from "node:assert/strict";
import { existsSync } from "node:fs";
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
  folder = await server.workspace("changes", { "notes.txt": "one\r\ntwo\r\n", "kept.txt": "one\n" });
  window = await Window.open(server, folder);
});

after(async () => {
  await leaveBrowser();
  await server?.stop();
});

const onDisk = (name: string): Promise<string> => readFile(join(folder, name), "utf8");

/**
 * Defines a test with a turn in a new chat that changes one file and creates
 * another.
 */
function changing(name: string, prompt: string, run: () => Promise<void>): void {
  test(name, async () => {
    try {
      await window.openChat();
      await window.newChat();
      await window.say(prompt);
      for (let n = 0; n < prompt.split("\n").length; n++) {
        await window.chat.getByRole("button", { name: /^Allow/ }).click();
        await window.chat.locator(".tool .decision").nth(n).waitFor({ state: "attached" });
      }
      await window.chat.locator(".changes").waitFor();
      await run();
    } catch (error) {
      await window.picture(`failed: ${name}`);
      throw error;
    }
  });
}

changing("a turn's changes are reviewed in the editor's own view, and undone", "/append notes.txt three\n/write made.txt new", async () => {
  await window.chat.getByRole("button", { name: "Review" }).click();
  const view = window.page.locator(".multiDiffEditor");
  await view.getByText("notes.txt").first().waitFor();
  await view.getByText("made.txt").first().waitFor();
  await view.getByText("three").first().waitFor();
  await window.picture("changes review");
  await window.chat.getByRole("button", { name: "Undo" }).click();
  await window.said("The changes to all 2 files were undone.");
  await window.picture("changes undone");
  assert.equal(await onDisk("notes.txt"), "one\r\ntwo\r\n");
  assert.equal(existsSync(join(folder, "made.txt")), false);
});

changing("undo overwrites a later change if the user agrees", "/append kept.txt two", async () => {
  await window.openFile("kept.txt");
  await window.editor.click();
  await window.page.keyboard.press("Control+End");
  await window.page.keyboard.type("mine");
  await window.chat.getByRole("button", { name: "Undo" }).click();
  const dialog = window.page.locator(".monaco-dialog-box");
  await dialog.getByText("kept.txt: it changed after the turn").waitFor();
  await window.picture("changes asked");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await window.said("kept.txt was not restored");
  assert.match(await window.editor.innerText(), /one\ntwo\nmine/);
  await window.chat.getByRole("button", { name: "Undo" }).click();
  await dialog.getByRole("button", { name: "Overwrite" }).click();
  await window.said("The change was undone.");
  assert.doesNotMatch(await window.editor.innerText(), /mine/);
});
