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
  folder = await server.workspace("hidden", { "changed.txt": "one\n", "kept.txt": "one\n" });
  window = await Window.open(server, folder);
});

after(async () => {
  await leaveBrowser();
  await server?.stop();
});

const onDisk = (name: string): Promise<string> => readFile(join(folder, name), "utf8");

/** Starts recording how notifications show the allowing and rejecting choices: as a link or as text. */
async function noteChoices(): Promise<() => Promise<string[]>> {
  await window.page.evaluate(() => {
    const seen: string[] = [];
    new MutationObserver(() => {
      for (const toast of document.querySelectorAll(".notification-toast")) {
        if (!toast.textContent?.includes("✓")) continue;
        const links = [...toast.querySelectorAll("a")].map((a) => a.textContent ?? "");
        const state = ["✓", "✗"].map((mark) => (links.some((text) => text.startsWith(mark)) ? "link" : "text")).join(" ");
        if (seen.at(-1) !== state) seen.push(state);
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
    Object.assign(window, { seenChoices: seen });
  });
  return () => window.page.evaluate(() => (window as unknown as { seenChoices: string[] }).seenChoices);
}

/**
 * Starts recording whether the allowing button of a diff is enabled, whenever
 * that changes.
 */
async function noteButton(): Promise<() => Promise<string[]>> {
  await window.page.evaluate(() => {
    const seen: string[] = [];
    new MutationObserver(() => {
      const button = document.querySelector('[role="button"][aria-label^="Allow This Change"]');
      const state = !button ? "none" : button.getAttribute("aria-disabled") === "true" ? "disabled" : "enabled";
      if ((seen.at(-1) ?? "none") !== state) seen.push(state);
    }).observe(document.body, { subtree: true, childList: true, attributeFilter: ["aria-disabled", "aria-label"] });
    Object.assign(window, { seenStates: seen });
  });
  return () => window.page.evaluate(() => (window as unknown as { seenStates: string[] }).seenStates);
}

/** Defines a test with a hidden chat that has a permission request. */
function hidden(name: string, prompt: string, run: () => Promise<void>): void {
  test(name, async () => {
    try {
      await window.newChat();
      await window.say(prompt);
      await window.chat.getByRole("button", { name: /^Allow/ }).waitFor();
      await window.hideChat();
      await window.notification.waitFor();
      await run();
    } catch (error) {
      await window.picture(`failed: ${name}`);
      throw error;
    }
  });
}

hidden("a command is allowed in a notification that shows all of it", "/run echo done > made.txt", async () => {
  await window.notification.getByText("echo done > made.txt").waitFor();
  const allow = window.notification.getByRole("link", { name: "✓ Allow", exact: true });
  await allow.waitFor();
  await window.picture("notification-command");
  await allow.click();
  await window.notification.waitFor({ state: "detached" });
  await window.openChat();
  await window.said("All done");
  assert.equal(await onDisk("made.txt"), "done\n");
});

hidden("a new notification can reject at once, but allow only later", "/run echo done > later.txt", async () => {
  await window.openChat();
  await window.notification.waitFor({ state: "detached" });
  const seen = await noteChoices();
  await window.hideChat();
  await window.notification.getByRole("link", { name: "✓ Allow", exact: true }).waitFor();
  assert.deepEqual(await seen(), ["text link", "link link"]);
  await window.notification.getByRole("link", { name: /^✗/ }).first().click();
  await window.notification.waitFor({ state: "detached" });
  await window.openChat();
  await window.said(/Rejected|refused/);
  await assert.rejects(onDisk("later.txt"));
});

hidden("a notification is withdrawn when the turn is cancelled", "/run echo done > cancelled.txt", async () => {
  await window.command("Turnwire: Cancel Turn");
  await window.notification.waitFor({ state: "detached" });
  await assert.rejects(onDisk("cancelled.txt"), "it was run without consent");
});

hidden("a notification is withdrawn when the chat is seen again", "/run echo done > seen.txt", async () => {
  await window.openChat();
  await window.notification.waitFor({ state: "detached" });
  await window.chat.getByRole("button", { name: /^Reject/ }).click();
  await window.said(/Rejected|refused/);
  await assert.rejects(onDisk("seen.txt"));
});

hidden("a change is shown in the editor before it can be allowed, and allowed there", "/append changed.txt two", async () => {
  await window.picture("notification-change");
  assert.equal(await window.notification.getByRole("link", { name: /Allow/ }).count(), 0);
  const seen = await noteButton();
  await window.notification.getByRole("button", { name: "Review…" }).click();
  await window.page.locator(".monaco-diff-editor").waitFor();
  await window.notification.getByRole("link", { name: "✓ Allow", exact: true }).waitFor();
  await window.page.locator('[role="button"][aria-label^="Allow This Change"]:not([aria-disabled="true"])').waitFor();
  assert.equal((await seen())[0], "disabled", "it has just appeared");
  await window.picture("review");
  await window.page.getByRole("button", { name: /^Allow This Change/ }).click();
  await window.page.locator(".monaco-diff-editor").waitFor({ state: "detached" });
  await window.notification.waitFor({ state: "detached" });
  await window.openChat();
  await window.said("All done");
  assert.equal(await onDisk("changed.txt"), "one\ntwo\n");
});

hidden("a change is rejected in the editor's own view", "/append kept.txt two", async () => {
  await window.notification.getByRole("button", { name: "Review…" }).click();
  await window.page.getByRole("button", { name: /^Reject This Change/ }).click();
  await window.notification.waitFor({ state: "detached" });
  await window.openChat();
  await window.said(/Rejected|refused/);
  assert.equal(await onDisk("kept.txt"), "one\n");
});
