/** The line below a turn, with the real host and binary. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { after, test } from "node:test";
import { Desk } from "../chat/desk.js";
import { leaveBrowser } from "../browser.js";
import { answerable, idle, leave, opened, send } from "./live.js";
import { View } from "./view.js";
import { session } from "./chats.js";

after(leaveBrowser);

test("a turn ends with the files that it has changed, and its changes are undone there", () =>
  Desk.use({ files: { "notes.txt": "one\ntwo\n" } }, async (desk) => {
    const view = await opened(desk);
    const { page } = view;
    await send(view, "/append notes.txt three\n/write made.txt new");
    for (let n = 0; n < 2; n++) {
      await answerable(view);
      await page.keyboard.press("Alt+Enter");
      await page.keyboard.press("1");
      await page.locator(".tool .decision").nth(n).waitFor();
    }
    await idle(view);
    const line = page.locator(".changes");
    assert.match(await line.innerText(), /2 files changed\s+\+2 −0[^]*notes\.txt\s+\+1 −0[^]*made\.txt\s+\+1 −0\s+new/);
    await view.screenshot("changes");
    await line.getByRole("button", { name: "Review" }).click();
    await view.sent("reviewChanges");
    await writeFile(desk.path("notes.txt"), "mine\n");
    desk.editor.yes = false;
    await line.getByRole("button", { name: "Undo" }).click();
    await line.getByText("notes.txt was not restored: it changed after the turn.").waitFor();
    await view.screenshot("changes-left");
    desk.editor.yes = true;
    await line.getByRole("button", { name: "Undo" }).click();
    await line.getByText("The changes to all 2 files were undone.").waitFor();
    assert.equal(await readFile(desk.path("notes.txt"), "utf8"), "one\ntwo\n");
    assert.equal(await line.getByRole("button", { name: "Undo" }).count(), 0);
    await view.screenshot("changes-undone");
    await leave(view);
  }));

test("many files are shown on request, and undo is not offered without a file system", async () => {
  const view = await View.open({ height: 400 });
  const files = Array.from({ length: 9 }, (_, n) => ({ path: `/work/src/long/way/to/file-${n}.ts`, label: `src/long/way/to/file-${n}.ts`, added: n * 3, removed: n, created: n === 2 }));
  await view.post({ type: "chat", revision: 1, chat: { session: session(), items: [{ type: "changes", id: "changes:1", files, review: false, undo: false }] } });
  const line = view.page.locator(".changes");
  await line.waitFor();
  assert.equal(await line.locator(".path").count(), 3);
  await view.screenshot("changes-many");
  await line.getByRole("button", { name: "and 6 more" }).click();
  await line.locator(".path").nth(8).waitFor();
  assert.equal(await line.getByRole("button", { name: /Review|Undo/ }).count(), 0);
  await view.close();
});
