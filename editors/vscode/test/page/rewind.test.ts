/** Going on from an earlier message in the page, with the real server and agent. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { leaveBrowser } from "../browser.js";
import { Phone } from "./phone.js";
import { Served } from "./served.js";

const historian = join(import.meta.dirname, "../../../test/chat/agents/historian.mjs");
let served: Served;
before(async () => (served = await Served.start("--", process.execPath, historian)));
after(async () => {
  await leaveBrowser();
  await served?.stop();
});

test("a message is edited in a new chat, and the other clients keep the old one", async () => {
  const [phone, other] = [await Phone.open(served), await Phone.open(served, "/", { width: 500 })];
  await phone.ready();
  for (const text of ["one", "two", "three"]) {
    await phone.say(text);
    await phone.reads(text === "one" ? "Before: nothing." : text === "two" ? "Before: one." : "Before: one, two.");
    await phone.idle();
  }
  await other.ready();
  await other.press("Chats");
  await other.page.locator(".session", { hasText: "one" }).locator(".session-open").tap();
  await other.reads("Before: one, two.");

  const second = phone.page.locator(".item-user").nth(1);
  await second.focus();
  await phone.picture("rewind");
  await second.getByRole("button", { name: "Edit and go on from here", exact: true }).tap();
  await phone.page.locator(".item-user").nth(1).waitFor({ state: "detached" });
  await phone.reads("Before: nothing.");
  assert.equal(await phone.prompt.inputValue(), "two");
  await phone.picture("rewound");
  await phone.say("another two");
  await phone.reads("Before: one.");
  await phone.idle();

  assert.deepEqual(await other.page.locator(".user-text").allInnerTexts(), ["one", "two", "three"]);
  const first = other.page.locator(".item-user").first();
  await first.focus();
  await first.getByRole("button", { name: "Edit and go on from here", exact: true }).tap();
  await other.page.locator(".item-user").first().waitFor({ state: "detached" });
  assert.equal(await other.prompt.inputValue(), "one");
  for (const { errors, foreign } of [phone, other]) assert.deepEqual([errors, foreign], [[], []]);
  await phone.close();
  await other.close();
});
