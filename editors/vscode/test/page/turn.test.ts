/** A turn in the page, as wide as a phone, with the real server. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { leaveBrowser } from "../browser.js";
import { eventually } from "../patience.js";
import { Phone } from "./phone.js";
import { scripted, Served } from "./served.js";

let served: Served;
before(async () => (served = await Served.start(...scripted)));
after(async () => {
  await leaveBrowser();
  await served?.stop();
});

/**
 * Defines a test with its own page, and checks that nothing went wrong in it.
 */
function paging(name: string, run: (phone: Phone, path: (file: string) => string) => Promise<void>): void {
  test(name, async () => {
    const phone = await Phone.open(served);
    try {
      await phone.ready();
      await run(phone, (file) => join(served.folder, file));
      assert.deepEqual(phone.errors, []);
      assert.deepEqual(phone.foreign, []);
    } catch (error) {
      await phone.picture(`failed ${name.replaceAll(/\W+/g, " ")}`);
      throw error;
    } finally {
      await phone.close();
    }
  });
}

paging("a turn is shown as it streams", async (phone, path) => {
  await phone.say(`say Reading **the notes** first.\nuntil ${path("more")}\nsay The end.`);
  await phone.reads("Reading");
  await phone.page.getByRole("button", { name: "Cancel" }).waitFor();
  writeFileSync(path("more"), "Here is more.");
  await phone.reads("Here is more.");
  await phone.reads("The end.");
  await phone.idle();
});

paging("a tap allows a change whose diff was shown", async (phone, path) => {
  await phone.say(`say I would like to change a file.\nchange ${path("notes.md")}`);
  const allow = phone.page.getByRole("button", { name: "Allow once" });
  await allow.waitFor();
  await phone.page.locator(".diff-lines .row.added", { hasText: "four" }).waitFor();
  await phone.picture("asks-360-dark");
  for (const button of await phone.page.locator(".permission button").all()) {
    const box = await button.boundingBox();
    assert.ok(box && box.height >= 44 && box.width >= 44 && box.x >= 0 && box.x + box.width <= 360, JSON.stringify(box));
  }
  await allow.tap();
  await phone.reads("The answer was once.");
  await phone.idle();
  // The page has no files: it counts the changes, and offers no actions for
  // them.
  const line = phone.page.locator(".changes");
  assert.match(await line.innerText(), /notes\.md\s+\+2 −1/);
  assert.equal(await line.getByRole("button", { name: /Review|Undo/ }).count(), 0);
  await phone.picture("changes-360-dark");
  await phone.page.locator(".agent", { hasText: "The answer was once." }).tap();
  await phone.page.getByRole("button", { name: "Copy as Markdown" }).waitFor();
  await phone.picture("message-tools-360-dark");
});

paging("a part of a change is written, and the agent is told", async (phone, path) => {
  writeFileSync(path("part.md"), "one\ntwo\nthree\n");
  await phone.say(`change ${path("part.md")}`);
  await phone.page.getByRole("button", { name: "Accept change 1 of 2" }).tap();
  await phone.page.getByRole("button", { name: "Allow 1 of 2 changes" }).tap();
  await phone.reads("The answer was no.");
  await phone.reads("Allowed 1 of 2 changes");
  await phone.reads("I accepted only a part of your change of part.md.");
  await phone.idle();
  assert.equal(readFileSync(path("part.md"), "utf8"), "one\ntwo\nthree\nfour\n");
  await phone.picture("part-360-dark");
  await phone.page.reload();
  await phone.reads("Allowed in part");
  await phone.reads("I accepted only a part of your change of part.md.");
});

paging("a part of a file that changed is not written", async (phone, path) => {
  writeFileSync(path("mine.md"), "mine\n");
  await phone.say(`change ${path("mine.md")}`);
  await phone.page.getByRole("button", { name: "Accept change 1 of 2" }).tap();
  await phone.page.getByRole("button", { name: "Allow 1 of 2 changes" }).tap();
  await phone.reads("The part of the change that you accepted was not written.");
  await phone.idle();
  assert.equal(readFileSync(path("mine.md"), "utf8"), "mine\n");
  await phone.picture("part-changed-360-dark");
});

paging("a turn is cancelled", async (phone, path) => {
  await phone.say(`say Waiting.\nuntil ${path("never")}`);
  await phone.reads("Waiting.");
  await phone.press("Cancel");
  await phone.idle();
});

paging("a page that is loaded again in the middle of a turn shows it all, and how it goes on", async (phone, path) => {
  await phone.say(`say Before it.\nchange ${path("a.md")}\nuntil ${path("after")}\nsay The very end.`);
  await phone.page.getByRole("button", { name: "Allow once" }).waitFor();
  await phone.page.reload();
  await phone.reads("Before it.");
  await phone.press("Reject");
  await phone.reads("The answer was no.");
  await phone.page.reload();
  await phone.reads("The answer was no.");
  await phone.page.getByRole("button", { name: "Cancel" }).waitFor();
  writeFileSync(path("after"), "It goes on.");
  await phone.reads("It goes on.");
  await phone.reads("The very end.");
  await phone.idle();
  const said = (await phone.page.locator(".log .agent").allInnerTexts()).join("\n");
  for (const once of ["Before it.", "The answer was no.", "It goes on."]) assert.equal(said.split(once).length, 2, said);
});

paging("a page that is loaded again shows how requests were answered and turns ended", async (phone, path) => {
  for (const answer of ["Reject", "Allow once"]) {
    await phone.say(`change ${path("e.md")}`);
    await phone.press(answer);
    await phone.idle();
  }
  await phone.say("ask Why?");
  await phone.page.getByLabel("Answer").first().fill("Because.");
  await phone.press("Answer");
  await phone.idle();
  await phone.say("ask Really?");
  await phone.press("Decline");
  await phone.idle();
  await phone.say("fail");
  await phone.reads("It has failed.");
  await phone.idle();
  await phone.say(`say Waiting.\nuntil ${path("nothing")}`);
  await phone.reads("Waiting.");
  await phone.press("Cancel");
  await phone.idle();
  // Remove durations and retry buttons, which change with time.
  const shown = () => phone.page.locator(".log .list").evaluate((list) => {
    const copy = list.cloneNode(true) as HTMLElement;
    for (const passing of copy.querySelectorAll(".time, .notice button, .message-tools")) passing.remove();
    return [...copy.querySelectorAll(".item")].map((item) => (item.textContent ?? "").trim());
  });
  await phone.page.getByText("Cancelled", { exact: true }).last().waitFor();
  const live = await shown();
  await phone.page.reload();
  let again: string[] = [];
  await eventually(async () => (isDeepStrictEqual((again = await shown()), live) ? true : undefined), () => JSON.stringify({ live, again }, undefined, 1));
});

paging("two pages are on one session, one answers, and it is withdrawn in the other", async (phone, path) => {
  await phone.say(`say Both see this.\nchange ${path("b.md")}\nuntil ${path("both")}`);
  const other = await Phone.open(served, "/", { beside: phone });
  await other.reads("Both see this.");
  for (const one of [phone, other]) await one.page.getByRole("button", { name: "Allow once" }).waitFor();
  await other.press("Allow once");
  await phone.page.getByRole("button", { name: "Allow once" }).waitFor({ state: "detached" });
  for (const one of [phone, other]) await one.reads("The answer was once.");
  // Each client can cancel the other's turn.
  await other.press("Cancel");
  for (const one of [phone, other]) await one.idle();
  await other.say("say From the other one.");
  await phone.reads("say From the other one.");
  await phone.reads("From the other one.");
  await phone.idle();
});

paging("a prompt during another page's turn waits for its end", async (phone, path) => {
  await phone.say(`say Both see this.\nuntil ${path("queued")}`);
  const other = await Phone.open(served, "/", { beside: phone });
  await other.reads("Both see this.");
  await other.prompt.fill("say From the queue.");
  await other.press("Queue");
  await other.page.locator(".queued", { hasText: "From the queue." }).waitFor();
  await other.picture("queue-360-dark");
  assert.equal(await phone.page.locator(".queued").count(), 0);
  writeFileSync(path("queued"), "Go on.");
  for (const one of [phone, other]) await one.page.locator(".agent", { hasText: "From the queue." }).waitFor();
  for (const one of [phone, other]) await one.idle();
  // If either of them cancels a turn, the queue is held.
  await phone.say(`until ${path("nothing")}`);
  await other.page.getByRole("button", { name: "Cancel" }).waitFor();
  await other.prompt.fill("say Held back.");
  await other.press("Queue");
  await phone.press("Cancel");
  await other.page.getByText("Paused: the turn was cancelled.").waitFor();
  // It survives a reload of the page.
  await other.page.reload();
  await other.page.locator(".queued", { hasText: "Held back." }).waitFor();
  await other.ready();
  await other.press(/^Send now/);
  for (const one of [phone, other]) await one.page.locator(".agent", { hasText: "Held back." }).waitFor();
  await other.close();
});

paging("switching to another chat answers nothing in the first", async (phone, path) => {
  await phone.say(`say The first.\nchange ${path("c.md")}`);
  await phone.page.getByRole("button", { name: "Allow once" }).waitFor();
  await phone.press("New chat");
  await phone.ready();
  await phone.say("say The second.");
  await phone.idle();
  await phone.press("Chats");
  await phone.page.getByText("waiting for you").waitFor();
  await phone.picture("chats-360-dark");
  await phone.page.locator(".session", { hasText: "waiting for you" }).locator(".session-open").tap();
  await phone.press("Allow once");
  await phone.reads("The answer was once.");
  await phone.idle();
});

paging("a hidden page reports open requests in a notification and its title", async (phone, path) => {
  await phone.page.evaluate(async () => void (await navigator.serviceWorker.ready));
  const hide = (hidden: boolean) => phone.page.evaluate((state) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => state });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden ? "hidden" : "visible");
  // Showing notifications is up to the desktop, which a test machine doesn't
  // have.
  await phone.page.evaluate(() => {
    const told: string[] = [];
    const show = ServiceWorkerRegistration.prototype.showNotification;
    ServiceWorkerRegistration.prototype.showNotification = function (title, options) {
      told.push(`${title}: ${options?.body}`);
      return show.call(this, title, options);
    };
    Object.assign(window, { told });
  });
  const shown = () => phone.page.evaluate(() => (window as unknown as { told: string[] }).told);
  await phone.say(`say Now.\nchange ${path("d.md")}`);
  await phone.page.getByRole("button", { name: "Allow once" }).waitFor();
  assert.match(await phone.page.title(), /^\(1\) /);
  assert.deepEqual(await shown(), []);
  await hide(true);
  await phone.page.waitForFunction(() => (window as unknown as { told: string[] }).told.length === 1);
  assert.match((await shown())[0] ?? "", /is waiting for you: Change d\.md/);
  await hide(false);
  await phone.page.waitForFunction(async () => (await (await navigator.serviceWorker.ready).getNotifications()).length === 0);
  await phone.press("Reject");
  await phone.idle();
  assert.doesNotMatch(await phone.page.title(), /^\(/);
});

paging("a turn that fails says so", async (phone) => {
  await phone.say("fail");
  await phone.reads("It has failed.");
  await phone.page.getByRole("button", { name: /Try again/i }).waitFor();
});

paging("an output that is cut in the chat opens whole in a new tab", async (phone) => {
  await phone.say("print 50000");
  const opened = phone.page.context().waitForEvent("page");
  await phone.press("Open all of it");
  const text = await (await opened).locator("body").innerText();
  assert.equal(text.trim().split("\n").length, 50_000);
});
