/** The last state of each chat is there without the server, and nothing can be sent. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Chat, Item, ToolCall } from "../../src/shared/model.js";
import { snapshot } from "../../src/page/snapshot.js";
import { leaveBrowser } from "../browser.js";
import { eventually } from "../patience.js";
import { Phone, type Look } from "./phone.js";
import { scripted, Served } from "./served.js";

after(leaveBrowser);

async function serving(args: string[], run: (served: Served) => Promise<void>): Promise<void> {
  const served = await Served.start(...args);
  try {
    await run(served);
  } finally {
    await served.stop();
  }
}

/** Opens the page, and lets it open without the server from then on. */
async function open(served: Served, path = "/", look: Look = {}): Promise<Phone> {
  const phone = await Phone.open(served, path, look);
  await phone.ready();
  await phone.page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await phone.page.reload();
  return phone.ready();
}

/** The texts of the chats that the browser keeps. */
const kept = (phone: Phone): Promise<string[]> =>
  phone.page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open("turnwire", 1);
      request.onupgradeneeded = () => request.result.createObjectStore("chats", { keyPath: "id" });
      request.onsuccess = () => resolve(request.result);
    });
    const all = await new Promise<unknown[]>((resolve) => {
      const request = database.transaction("chats").objectStore("chats").getAll();
      request.onsuccess = () => resolve(request.result);
    });
    database.close();
    return all.map((one) => JSON.stringify(one));
  });

const keeps = (phone: Phone, ...texts: string[]) =>
  eventually(async () => {
    const all = await kept(phone);
    return all.length === texts.length && texts.every((text) => all.some((one) => one.includes(text))) ? true : undefined;
  }, () => `the browser does not keep exactly ${texts}`);

test("a page without its server shows each chat as it was, and sends nothing", () =>
  serving(scripted, async (served) => {
    const phone = await open(served);
    await phone.say("say The first chat.");
    await phone.reads("The first chat.");
    await phone.idle();
    await keeps(phone, "The first chat.");
    await phone.press("New chat");
    await phone.ready();
    await phone.say(`say The **second** chat.\nchange ${join(served.folder, "notes.md")}`);
    await phone.page.getByRole("button", { name: "Allow once" }).waitFor();
    await keeps(phone, "The first chat.", "was waiting for an answer");
    await served.kill();
    await phone.page.reload();
    await phone.reads(/Offline, as of .*Nothing can be sent until/);
    await phone.page.locator(".agent strong", { hasText: "second" }).waitFor();
    await phone.reads("The agent was waiting for an answer.");
    assert.equal(await phone.page.getByRole("button", { name: "Allow once" }).count(), 0);
    await phone.prompt.fill("say My draft.");
    await phone.prompt.press("Enter");
    assert.equal(await phone.prompt.inputValue(), "say My draft.");
    assert.ok(await phone.page.getByRole("button", { name: "Send", exact: true }).isDisabled());
    await phone.picture("offline-360-dark");

    await phone.press("Chats");
    const row = phone.page.locator(".session", { hasText: "first chat" });
    await row.waitFor();
    await phone.picture("offline-chats-360-dark");
    await row.locator(".session-open").tap();
    await phone.reads("The first chat.");
    await phone.press("New chat");
    await phone.reads("nothing was sent");

    await served.up();
    await phone.page.locator(".line.away").waitFor({ state: "detached" });
    await phone.ready();
    await phone.reads("The first chat.");
    await phone.say("say Here again.");
    await phone.reads("Here again.");
    await phone.idle();
    assert.deepEqual(phone.errors, []);
    assert.deepEqual(phone.foreign, []);
    await phone.close();
  }));

test("on a wide screen, the chats that are kept are next to the chat", () =>
  serving(scripted, async (served) => {
    const phone = await open(served, "/", { width: 1100, height: 720, colours: "light" });
    await phone.say("say Tea is ready.");
    await phone.reads("Tea is ready.");
    await phone.idle();
    await keeps(phone, "Tea is ready.");
    await served.kill();
    await phone.page.reload();
    await phone.reads(/Offline, as of/);
    await phone.page.locator(".session.current", { hasText: "Tea is ready." }).waitFor();
    await phone.picture("offline-1100-light");
    await phone.close();
  }));

test("nothing is kept after a logout, a revoked token, or if it is turned off", () =>
  serving(["--auth", "token", ...scripted], async (served) => {
    const login = (name: string) => `/#token=${served.turnwire("token", "create", name)}`;
    const phone = await open(served, login("phone"), { width: 900, height: 700 });
    const chat = async (text: string) => {
      await phone.say(`say ${text}`);
      await phone.reads(text);
      await phone.idle();
    };
    await chat("Tea is ready.");
    await keeps(phone, "Tea is ready.");
    const keeping = (on: boolean) => phone.page.getByRole("switch", { name: "Keep chats here to read them offline", checked: on });
    await keeping(true).click();
    await keeping(false).waitFor();
    await keeps(phone);
    await chat("Not kept.");
    await phone.page.reload();
    await phone.ready();
    assert.deepEqual(await kept(phone), []);
    await keeping(false).click();
    await keeping(true).waitFor();
    await chat("Kept again.");
    await keeps(phone, "Kept again.");

    served.turnwire("token", "revoke", "phone");
    await phone.reads("Log in to Turnwire");
    await keeps(phone);
    await phone.page.getByLabel("Token").fill(served.turnwire("token", "create", "other"));
    await phone.press("Log in");
    await phone.ready();
    await chat("Once more.");
    await keeps(phone, "Once more.");
    await phone.press("Log out");
    await phone.reads("Log in to Turnwire");
    await keeps(phone);
    await phone.close();
  }));

test("a token that was revoked while the server was away hides what was kept", () =>
  serving(["--auth", "token", ...scripted], async (served) => {
    const phone = await open(served, `/#token=${served.turnwire("token", "create", "phone")}`);
    await phone.say("say Tea is ready.");
    await phone.reads("Tea is ready.");
    await phone.idle();
    await keeps(phone, "Tea is ready.");
    await served.kill();
    await phone.page.reload();
    await phone.reads("Tea is ready.");
    served.turnwire("token", "revoke", "phone");
    await served.up();
    await phone.reads("Log in to Turnwire");
    await phone.page.locator(".log").waitFor({ state: "detached" });
    await keeps(phone);
    await phone.close();
  }));

const session: Chat["session"] = { chatId: "c", title: "T", agent: "a", agents: ["a"], status: "running", options: [], commands: [], accepts: { image: true, embedded: true }, steers: true };
const tool = (by: Partial<ToolCall>): ToolCall => ({ type: "tool", id: "t", title: "Run", kind: "execute", status: "in_progress", started: 1, locations: [], input: "", content: [], ...by });
const titles = (items: Item[]) => items.flatMap((item) => (item.type === "notice" ? [item.title] : []));

test("a snapshot is bounded, and has no pictures", () => {
  const picture = `data:image/png;base64,${"A".repeat(100_000)}`;
  const items: Item[] = Array.from({ length: 100 }, (_, n): Item => ({ type: "message", id: `m${n}`, text: "x".repeat(20_000), blocks: [{ type: "image", data: picture, mimeType: "image/png" }] }));
  items.push(
    { type: "user", id: "u", text: "Look", attachments: [{ kind: "image", label: "a.png", uri: "", data: picture }] },
    tool({ id: "huge", content: [{ type: "text", text: "y".repeat(1_000_000), markdown: false }] }),
    { type: "message", id: "long", text: "z".repeat(1_000_000), blocks: [] },
  );
  const small = snapshot({ session, items }, 9);
  const text = JSON.stringify(small);
  assert.ok(text.length < 600_000, String(text.length));
  assert.ok(!text.includes("AAAA"));
  assert.ok(text.includes("too long to be kept offline"));
  assert.deepEqual(titles(small.items), ["Earlier messages are not kept offline.", "The turn was still running."]);
});

test("nothing in a snapshot can be answered, and nothing looks sent", () => {
  const small = snapshot({
    session,
    items: [
      tool({ permission: { requestId: "r", options: [] } }),
      { type: "question", id: "q", message: "Why?", fields: [] },
      { type: "login", id: "l", message: "Log in", methods: [] },
      { type: "notice", id: "n", severity: "error", title: "Failed", retry: true, fixes: ["again"] },
      { type: "changes", id: "c", files: [], review: true, undo: true },
      { type: "thought", id: "h", text: "Hm", started: 1 },
    ],
    queue: { prompts: [{ id: "p", text: "Later", attachments: [] }, { id: "p2", text: "Later", attachments: [] }] },
  }, 9);
  const text = JSON.stringify(small);
  for (const gone of ["permission", "retry", "fixes", '"undo":true', '"review":true', "steers", "queue\"", "Later"]) assert.ok(!text.includes(gone), gone);
  assert.equal(small.session.offline, true);
  assert.deepEqual(titles(small.items), ["Failed", "The agent was waiting for an answer.", "2 queued messages are not sent yet."]);
  assert.ok(small.items.every((item) => (item.type !== "question" && item.type !== "login") || item.answer !== undefined));
  assert.ok(small.items.every((item) => (item.type !== "tool" && item.type !== "thought") || item.ended === 9));
});
