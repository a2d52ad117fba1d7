/**
 * The view with the extension's host, Turnwire's own binary and its workspace
 * agent, in a temporary folder.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, test } from "node:test";
import { Desk } from "../chat/desk.js";
import { leaveBrowser } from "../browser.js";
import { answerable, idle, leave, opened, send } from "./live.js";

after(leaveBrowser);

test("words, a thought, a plan and a file that was read", () =>
  Desk.use({ files: { "notes.txt": "one\ntwo\n" } }, async (desk) => {
    const view = await opened(desk);
    const { page } = view;
    await send(view, "/plan Read the notes; Say what is in them\n/think Two lines, I suppose.\n/read notes.txt\n/say There are **two** lines in `notes.txt`.");
    await page.locator(".agent strong", { hasText: "two" }).waitFor();
    await idle(view);
    assert.equal(await page.locator(".plan .facts").innerText(), "2 of 2");
    assert.match(await page.locator(".thought button").innerText(), /^Thought for \d+ s$/);
    await page.locator(".thought button").click();
    await page.locator(".thought-text").getByText("Two lines, I suppose.", { exact: true }).waitFor();
    const read = page.locator(".tool", { hasText: "Read notes.txt" });
    await read.locator(".card-head").click();
    await read.locator(".card-body").getByText("two").first().waitFor();
    assert.match(await read.locator(".card-body").innerText(), /one\s+two/);
    await view.screenshot("real-turn");
    await leave(view);
  }));

test("a change is made when it is allowed, and shown as a difference before", () =>
  Desk.use({ files: { "notes.txt": "one\ntwo\n" } }, async (desk) => {
    const view = await opened(desk);
    const { page } = view;
    await send(view, "/append notes.txt three");
    const allow = page.getByRole("button", { name: /^Allow/ }).first();
    await allow.waitFor();
    assert.equal(await page.locator(".row.added").innerText(), "3+three");
    assert.equal(await readFile(desk.path("notes.txt"), "utf8"), "one\ntwo\n");
    await view.screenshot("real-asked");
    await allow.click();
    await idle(view);
    assert.equal(await readFile(desk.path("notes.txt"), "utf8"), "one\ntwo\nthree\n");
    assert.equal(await page.locator(".permission").count(), 0);
    assert.match(await page.locator(".tool .facts").innerText(), /Allowed/);
    await page.getByRole("button", { name: "Open in the diff editor" }).click();
    await view.sent("openDiff");
    await view.screenshot("real-allowed");
    await leave(view);
  }));

test("nothing is changed when it is rejected, by the keyboard", () =>
  Desk.use({ files: { "notes.txt": "one\n" } }, async (desk) => {
    const view = await opened(desk);
    const { page } = view;
    await send(view, "/append notes.txt two");
    await answerable(view);
    await page.keyboard.press("Alt+Enter");
    const reject = page.locator(".permission .reject_once");
    await page.keyboard.press((await reject.getAttribute("aria-keyshortcuts")) ?? "");
    await idle(view);
    assert.equal(await readFile(desk.path("notes.txt"), "utf8"), "one\n");
    assert.match(await page.locator(".tool .state").innerText(), /^Rejected/);
    await view.screenshot("real-rejected");
    await leave(view);
  }));

test("a command's output is shown, and a tool that fails says why", () =>
  Desk.use({}, async (desk) => {
    const view = await opened(desk);
    const { page } = view;
    await send(view, "/run printf '\\033[32mgreen\\033[0m\\n'; exit 3\n/fail No such thing.");
    await page.locator(".command", { hasText: "printf" }).waitFor();
    await page.getByRole("button", { name: /^Allow/ }).first().click();
    await page.getByText("No such thing.").first().waitFor();
    await idle(view);
    assert.equal(await page.locator(".output .ansi-green").innerText(), "green");
    assert.equal(await page.locator(".tool.failed").count(), 2);
    await view.screenshot("real-failed");
    await leave(view);
  }));

test("Escape cancels the turn, and the next one can be sent", () =>
  Desk.use({}, async (desk) => {
    const view = await opened(desk);
    const { page } = view;
    await send(view, "/plan Look; Wait; Write\n/say Wait.\n/wait 600");
    await page.getByRole("button", { name: "Cancel" }).waitFor();
    await page.locator(".tool.in_progress, .agent").first().waitFor();
    await page.keyboard.press("Escape");
    await idle(view);
    await page.locator(".turn-end", { hasText: "Cancelled" }).waitFor();
    assert.equal(await page.locator(".log .spinner, .log .thinks, .working").count(), 0);
    await view.screenshot("real-cancelled");
    await send(view, "/say Again.");
    await page.locator(".agent", { hasText: "Again." }).waitFor();
    await idle(view);
    await leave(view);
  }));

test("a question is answered in its form", () =>
  Desk.use({}, async (desk) => {
    const view = await opened(desk);
    const { page } = view;
    await send(view, "/ask Which colour? | Red | Green");
    await page.locator(".choices button:not([aria-disabled=true])", { hasText: "Green" }).waitFor();
    await view.screenshot("real-question");
    await page.getByRole("button", { name: "Green" }).click();
    await idle(view);
    assert.match(await page.locator(".question .answer").innerText(), /Green/);
    assert.match(await page.locator(".list").innerText(), /Green/);
    await leave(view);
  }));

test("a view reloaded during a turn shows it unchanged, and open requests can be answered", () =>
  Desk.use({ files: { "notes.txt": "one\n" } }, async (desk) => {
    const view = await opened(desk);
    const { page } = view;
    await send(view, "/say Before.\n/append notes.txt two\n/say After.");
    await page.locator(".permission").waitFor();
    await page.locator(".prompt textarea").fill("for later");
    await view.reload();
    await page.locator(".permission").waitFor();
    assert.match(await page.locator(".agent").first().innerText(), /Before\./);
    assert.equal(await page.locator(".prompt textarea").inputValue(), "for later");
    await view.screenshot("real-reloaded");
    await page.getByRole("button", { name: /^Allow/ }).first().click();
    await page.getByText("After.").last().waitFor();
    await idle(view);
    assert.equal(await readFile(desk.path("notes.txt"), "utf8"), "one\ntwo\n");
    await leave(view);
  }));

test("the agent's commands are completed, and its mode is chosen", () =>
  Desk.use({}, async (desk) => {
    const view = await opened(desk);
    const { page } = view;
    await page.locator(".prompt textarea").pressSequentially("/sea");
    await page.getByRole("option", { name: /search/ }).waitFor();
    await page.keyboard.press("Enter");
    assert.equal(await page.locator(".prompt textarea").inputValue(), "/search ");
    const mode = page.locator(".picker-button").first();
    const before = await mode.innerText();
    await mode.click();
    await page.locator("[role=option][aria-selected=false]").last().click();
    await page.waitForFunction((old) => document.querySelector<HTMLElement>(".prompt .picker-button")?.innerText !== old, before);
    await leave(view);
  }));
