/**
 * Notifications of the server while the page is closed. Headless Chromium has no
 * push service, so its subscriptions are made up. Messages reach the real service
 * worker, by the browser's debugger.
 */
import assert from "node:assert/strict";
import { createECDH } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Worker } from "playwright-core";
import { leaveBrowser } from "../browser.js";
import { eventually } from "../patience.js";
import { Phone, type Look } from "./phone.js";
import { scripted, Served } from "./served.js";

let served: Served;
before(async () => (served = await Served.start("--auth", "token", ...scripted)));
after(async () => {
  await leaveBrowser();
  await served?.stop();
});

/** The endpoints that the server has. */
function endpoints(): string[] {
  const path = join(served.home, "state/turnwire/push.json");
  if (!existsSync(path)) return [];
  const { subscriptions } = JSON.parse(readFileSync(path, "utf8")) as { subscriptions: { endpoint: string }[] | null };
  return (subscriptions ?? []).map(({ endpoint }) => endpoint);
}

const has = (...wanted: string[]) => eventually(() => (JSON.stringify(endpoints()) === JSON.stringify(wanted) ? true : undefined), () => `${endpoints()}, not ${wanted}`);

/** Opens the page in a browser whose push service gives it the endpoint. */
async function open(endpoint: string, token: string, look: Look = {}): Promise<Phone> {
  const phone = await Phone.open(served, `/#token=${token}`, look);
  const p256dh = createECDH("prime256v1").generateKeys().toString("base64url");
  await phone.page.addInitScript(
    ({ endpoint, keys }) => {
      const stored = () => localStorage.getItem("test.push");
      const made = (): PushSubscription => ({
        endpoint,
        options: { applicationServerKey: Uint8Array.from(atob(stored()!), (c) => c.charCodeAt(0)).buffer, userVisibleOnly: true },
        toJSON: () => ({ endpoint, expirationTime: null, keys }),
        unsubscribe: async () => (localStorage.removeItem("test.push"), true),
      }) as unknown as PushSubscription;
      PushManager.prototype.getSubscription = async () => (stored() === null ? null : made());
      PushManager.prototype.subscribe = async (options) => {
        if (endpoint === "") throw new DOMException("no push service", "AbortError");
        localStorage.setItem("test.push", btoa(String.fromCharCode(...new Uint8Array(options!.applicationServerKey as ArrayBuffer))));
        return made();
      };
      let permission: NotificationPermission = localStorage.getItem("test.permission") === null ? "default" : "granted";
      Object.defineProperty(Notification, "permission", { configurable: true, get: () => permission });
      Notification.requestPermission = async () => {
        localStorage.setItem("test.permission", String(navigator.userActivation.isActive));
        return (permission = "granted");
      };
    },
    { endpoint, keys: { p256dh, auth: "AAAAAAAAAAAAAAAAAAAAAA" } },
  );
  await phone.ready();
  await phone.page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await phone.page.reload();
  await phone.ready();
  return phone;
}

const theSwitch = (phone: Phone) => phone.page.getByRole("switch", { name: "Notify me while this page is closed" });

async function flip(phone: Phone, on: boolean): Promise<void> {
  await theSwitch(phone).click();
  await phone.page.getByRole("switch", { name: "Notify me while this page is closed", checked: on }).waitFor();
}

test("a switch turns notifications on and off", async () => {
  const phone = await open("https://push.example.com/switch", served.turnwire("token", "create", "switch"));
  await phone.press("Chats");
  await theSwitch(phone).waitFor();
  await phone.picture("push-off-360-dark");
  assert.equal(await phone.page.evaluate(() => localStorage.getItem("test.permission")), null, "nobody was asked before the click");
  assert.deepEqual(endpoints(), []);
  await flip(phone, true);
  assert.equal(await phone.page.evaluate(() => localStorage.getItem("test.permission")), "true");
  await phone.picture("push-on-360-dark");
  await has("https://push.example.com/switch");
  await phone.page.reload();
  await phone.ready();
  await phone.press("Chats");
  await phone.page.getByRole("switch", { name: "Notify me while this page is closed", checked: true }).waitFor();
  await flip(phone, false);
  await has();
  assert.deepEqual(phone.errors, []);
  assert.deepEqual(phone.foreign, []);
  await phone.close();
});

test("notifications end with a logout, and with the token", async () => {
  const leaver = await open("https://push.example.com/leaver", served.turnwire("token", "create", "leaver"), { width: 1100, height: 720, colours: "light" });
  await flip(leaver, true);
  await leaver.picture("push-on-1100-light");
  const other = await open("https://push.example.com/other", served.turnwire("token", "create", "other"), { width: 1100 });
  await flip(other, true);
  await has("https://push.example.com/leaver", "https://push.example.com/other");
  await leaver.press("Log out");
  await leaver.reads("Log in to Turnwire");
  await has("https://push.example.com/other");
  served.turnwire("token", "revoke", "other");
  await has();
  await other.reads("Log in to Turnwire");
  assert.equal(await other.page.evaluate(() => localStorage.getItem("test.push")), null);
  await leaver.close();
  await other.close();
});

test("a page that can't be notified says why", async () => {
  const token = served.turnwire("token", "create", "unable");
  for (const [why, prepare] of [
    [/Notifications need HTTPS/, () => Object.defineProperty(window, "isSecureContext", { value: false })],
    [/blocks notifications of this page/, () => Object.defineProperty(Notification, "permission", { configurable: true, get: () => "denied" })],
    [/add this page to the Home Screen/, () => (Reflect.deleteProperty(window, "PushManager"), Object.defineProperty(navigator, "standalone", { value: false }))],
    [/This browser cannot notify you/, () => Reflect.deleteProperty(window, "PushManager")],
  ] as [RegExp, () => unknown][]) {
    const phone = await open("https://push.example.com/unable", token, { width: 1100 });
    await phone.page.addInitScript(prepare);
    await phone.page.reload();
    await phone.page.locator(".foot .hint").getByText(why).waitFor();
    assert.equal(await theSwitch(phone).count(), 0);
    await phone.close();
  }
  const watcher = await open("https://push.example.com/watcher", served.turnwire("token", "create", "wall", "--watch"), { width: 1100 });
  await watcher.page.locator(".foot .hint").getByText("The server does not notify this page").waitFor();
  await watcher.close();
  const without = await open("", token, { width: 1100 });
  await theSwitch(without).click();
  await without.reads(/Notifications are off: The browser's push service did not accept this page/);
  await without.page.getByRole("switch", { name: "Notify me while this page is closed", checked: false }).waitFor();
  await without.close();
});

test("a message is shown while no page is open, and a click opens its session", async () => {
  const phone = await open("https://push.example.com/click", served.turnwire("token", "create", "click"));
  await phone.say("say The first chat.");
  await phone.reads("The first chat.");
  await phone.idle();
  const { sessions } = await phone.page.evaluate(async () => (await (await fetch("/page/state", { method: "POST", body: "{}", headers: { "Content-Type": "application/json" } })).json()) as { sessions: { sessionId: string; title?: string }[] });
  const session = sessions.find(({ title }) => title?.includes("The first chat."));
  assert.ok(session);
  await phone.press("New chat");
  await phone.ready();

  const worker = await serviceWorker(phone);
  const deliver = await pusher(phone);
  const shown = () => worker.evaluate(async () => (await sw().registration.getNotifications()).map((shown) => ({ title: shown.title, body: shown.body, tag: shown.tag, data: shown.data as unknown, buttons: (shown as { actions?: unknown[] }).actions?.length })));
  await deliver(JSON.stringify({ title: "Turnwire: tea asks for permission", text: "The first chat", session: session.sessionId }));
  await eventually(async () => ((await shown()).length === 1 ? true : undefined), () => "no notification");
  const tag = `turnwire-session-${session.sessionId}`;
  assert.deepEqual(await shown(), [{ title: "Turnwire: tea asks for permission", body: "The first chat", tag, data: { session: session.sessionId }, buttons: 0 }]);
  // A second one about the session replaces it. A damaged one is shown, too, because browsers insist.
  await deliver(JSON.stringify({ title: "Turnwire: tea is done", text: "The first chat", session: session.sessionId }));
  for (const damaged of ["{", "null", JSON.stringify({ title: {}, text: 1, session: ["x"] })]) await deliver(damaged);
  // The worker shows them in any order.
  const titles = async (): Promise<string> => (await shown()).map(({ title }) => title).sort().join(", ");
  await eventually(async () => ((await titles()) === "Turnwire, Turnwire: tea is done" ? true : undefined), () => "not these two notifications");

  const click = (of: string) => worker.evaluate(async (of) => {
    const [notification] = await sw().registration.getNotifications({ tag: of });
    sw().dispatchEvent(new NotificationEvent("notificationclick", { notification: notification! }));
  }, of);
  await worker.evaluate(() => {
    // A click that a test makes doesn't let a worker open or focus windows.
    const opened: string[] = [];
    WindowClient.prototype.focus = async function () { return opened.push("focus"), this; };
    Object.defineProperty(sw().clients, "openWindow", { value: async (url: string) => void opened.push(url) });
    Object.assign(self, { opened });
  });
  await click(tag);
  await phone.reads("The first chat.");
  assert.deepEqual(await opened(worker), ["focus"]);
  await deliver(JSON.stringify({ title: "Turnwire: tea is done", text: "The first chat", session: session.sessionId }));
  await eventually(async () => ((await titles()).includes("tea is done") ? true : undefined), () => "no notification after the click");

  // Without a page, the click opens one at the session.
  await phone.page.evaluate(() => {
    sessionStorage.clear();
    localStorage.removeItem("turnwire.chat");
  });
  const other = await phone.page.context().newPage();
  await phone.page.close();
  await click(tag);
  await eventually(async () => ((await opened(worker)).length === 2 ? true : undefined), () => "nothing was opened");
  const [, url] = await opened(worker);
  assert.equal(url, `/#session=${session.sessionId}`);
  await other.goto(`${served.url}${url}`);
  await other.locator(".log").getByText("The first chat.").first().waitFor();
  assert.equal(other.url(), `${served.url}/`);

  // The link of another notification may reach the page that is already open.
  await other.getByRole("button", { name: "New chat" }).tap();
  await other.locator(".log").getByText("The first chat.").first().waitFor({ state: "hidden" });
  await other.goto(`${served.url}${url}`);
  await other.locator(".log").getByText("The first chat.").first().waitFor();
  assert.equal(other.url(), `${served.url}/`);
  await other.context().close();
});

declare const NotificationEvent: new (type: string, init: { notification: Notification }) => Event;
declare const WindowClient: { prototype: { focus(): Promise<unknown> } };
interface Scope extends EventTarget {
  registration: ServiceWorkerRegistration;
  clients: object;
}
/** Runs in the worker. */
declare function sw(): Scope;

const opened = (worker: Worker): Promise<string[]> => worker.evaluate(() => (self as unknown as { opened: string[] }).opened);

async function serviceWorker(phone: Phone): Promise<Worker> {
  const context = phone.page.context();
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
  await worker.evaluate(() => Object.assign(self, { sw: () => self }));
  return worker;
}

/** Returns a function that plays the push service. */
async function pusher(phone: Phone): Promise<(data: string) => Promise<void>> {
  const client = await phone.page.context().newCDPSession(phone.page);
  const found = new Promise<string>((resolve) => client.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => registrations[0] && resolve(registrations[0].registrationId)));
  await client.send("ServiceWorker.enable");
  const registrationId = await found;
  return async (data) => void (await client.send("ServiceWorker.deliverPushMessage", { origin: served.url, registrationId, data }));
}
