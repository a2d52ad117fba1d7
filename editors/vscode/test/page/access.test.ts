/**
 * The page is accessible to everybody, by touch and by keyboard, at each width,
 * in light and dark.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { AxeResults } from "axe-core";
import { leaveBrowser } from "../browser.js";
import { finishAnimations } from "../picture.js";
import { Phone } from "./phone.js";
import { scripted, Served } from "./served.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let served: Served;
before(async () => (served = await Served.start(...scripted)));
after(async () => {
  await leaveBrowser();
  await served?.stop();
});

async function accessible({ page }: Phone, what: string): Promise<void> {
  await page.evaluate(finishAnimations);
  const client = await page.context().newCDPSession(page);
  await client.send("Page.setBypassCSP", { enabled: true });
  const { result } = await client.send("Runtime.evaluate", { expression: `${axe}; axe.run({ resultTypes: ["violations"] }).then((r) => JSON.stringify(r))`, awaitPromise: true });
  const { violations } = JSON.parse(result.value as string) as AxeResults;
  assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html.slice(0, 160)} ${node.any.map((check) => check.message).join(" ")}`).join("\n  ")}`), [], what);
}

/** Returns controls that are too small for a thumb. Links within a text don't count. */
const tooSmall = ({ page }: Phone): Promise<string[]> =>
  page.locator("button, input, select, textarea, [role=option]").evaluateAll((all) =>
    all.flatMap((one) => {
      const { width, height } = one.getBoundingClientRect();
      const seen = width > 0 && getComputedStyle(one).visibility !== "hidden";
      return seen && (height < 44 || width < 44) ? [`${one.outerHTML.slice(0, 120)} ${width}x${height}`] : [];
    }));

test("the page works without TLS", async () => {
  const phone = await Phone.open(served);
  // Browsers hide these from pages of other machines without TLS.
  await phone.page.addInitScript(() => {
    Object.defineProperty(window, "isSecureContext", { value: false });
    Reflect.deleteProperty(Crypto.prototype, "randomUUID");
    Reflect.deleteProperty(Crypto.prototype, "subtle");
    for (const name of ["clipboard", "serviceWorker", "locks", "storage"]) Reflect.deleteProperty(Navigator.prototype, name);
    for (const name of ["caches", "Notification", "PushManager"]) Reflect.deleteProperty(window, name);
  });
  await phone.page.reload();
  await phone.ready();
  await phone.say(`say Here.\nchange ${join(served.folder, "notes.md")}`);
  await phone.press("Allow once");
  await phone.reads("The answer was once.");
  await phone.idle();
  assert.deepEqual(phone.errors, []);
  await phone.close();
});

for (const width of [360, 450, 900]) {
  for (const colours of ["light", "dark"] as const) {
    test(`at ${width} pixels, ${colours}`, async () => {
      const phone = await Phone.open(served, "/", { width, height: width < 600 ? 740 : 800, colours });
      const name = `${width}-${colours}`;
      await phone.ready();
      await phone.picture(`welcome-${name}`);
      await accessible(phone, "an empty chat");
      await phone.say(`say I have **read** the notes: \`Find\` returns an empty value where nothing was found, and that is what [the caller](https://example.org) takes for an error.\nchange ${join(served.folder, "src/find.go")}`);
      await phone.page.getByRole("button", { name: "Allow once" }).waitFor();
      await phone.page.locator(".offer").getByRole("button", { name: "No" }).waitFor({ state: "detached" });
      await phone.picture(`asks-${name}`);
      await accessible(phone, "a question");
      assert.equal(await phone.page.evaluate(() => document.documentElement.scrollWidth), width);
      if (width < 600) assert.deepEqual(await tooSmall(phone), []);
      await phone.press("Allow once");
      await phone.idle();
      await phone.picture(`done-${name}`);
      if (width < 800) await phone.press("Chats");
      await phone.page.locator(".session, .empty").first().waitFor();
      await phone.picture(`chats-${name}`);
      await accessible(phone, "the list of chats");
      if (width < 600) assert.deepEqual(await tooSmall(phone), []);
      await phone.close();
    });
  }
}

test("keys alone are enough: a prompt, an answer, another chat", async () => {
  const phone = await Phone.open(served, "/", { width: 700 });
  const { keyboard } = phone.page;
  await phone.ready();
  await phone.prompt.focus();
  await keyboard.type("change x.md");
  await keyboard.press("Enter");
  await phone.page.locator(".permission:focus").waitFor();
  await phone.page.getByRole("button", { name: "Allow once", disabled: false }).waitFor();
  await keyboard.press("1");
  await phone.reads("The answer was once.");
  await phone.page.getByRole("button", { name: "Chats" }).focus();
  await keyboard.press("Enter");
  await phone.page.getByRole("region", { name: "Chats" }).waitFor();
  await keyboard.press("Escape");
  await phone.page.getByRole("region", { name: "Chats" }).waitFor({ state: "detached" });
  await phone.close();
});

test("notifications are offered once, and the answer is saved", async () => {
  const phone = await Phone.open(served, "/");
  await phone.page.context().clearPermissions();
  await phone.page.addInitScript(() => Object.defineProperty(Notification, "permission", { configurable: true, get: () => "default" }));
  await phone.page.reload();
  await phone.ready();
  await phone.say("say Hello.");
  await phone.page.locator(".offer").waitFor();
  await phone.picture("offer-360-dark");
  assert.deepEqual(await tooSmall(phone), []);
  await accessible(phone, "the offer");
  await phone.page.locator(".offer").getByRole("button", { name: "No" }).tap();
  await phone.page.locator(".offer").waitFor({ state: "detached" });
  await phone.page.reload();
  await phone.ready();
  await phone.idle();
  await phone.say("say Hello again.");
  await phone.reads("Hello again.");
  await phone.idle();
  assert.equal(await phone.page.locator(".offer").count(), 0);
  await phone.close();
});
