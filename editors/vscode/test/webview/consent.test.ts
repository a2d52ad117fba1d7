/** Only deliberate actions of a user answer a request. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Item } from "../../src/shared/model.js";
import { leaveBrowser } from "../browser.js";
import { asking, chat, session, tool, wanted } from "./chats.js";
import { View } from "./view.js";

after(leaveBrowser);

/**
 * Returns an item with a request, which has that id and belongs to a tool call
 * with the other id.
 */
function request(requestId: string, id = "c9"): Item {
  const [, call] = asking;
  assert.ok(call?.type === "tool" && call.permission);
  return { ...call, id, permission: { ...call.permission, requestId } };
}

/** Counts the changes of the test's view. */
let revision = 1;

/** The agent is working, and the prompt has the focus. */
async function working(): Promise<View> {
  revision = 1;
  const view = await View.open({ virtualTime: true });
  await view.post(chat([], { status: "running" }), { type: "focus" });
  return view;
}

const put = (view: View, item: Item): Promise<void> => view.post({ type: "changes", revision: ++revision, changes: [{ type: "item", item }] });
const ask = (view: View, item: Item = request("r9")): Promise<void> => put(view, item);
const draft = (view: View): Promise<string> => view.page.locator(".prompt textarea").inputValue();
const answered = async (view: View): Promise<string[]> => (await view.all()).flatMap((m) => (m.type === "permission" ? [`${m.requestId}: ${m.optionId}`] : []));
const focused = (view: View): Promise<string> => view.page.evaluate(() => document.activeElement?.className || document.activeElement?.localName || "");

test("a request takes the keyboard focus from an empty prompt, and returns it", async () => {
  const view = await working();
  await ask(view);
  assert.equal(await focused(view), "permission");
  await view.pass(700);
  await view.page.keyboard.press("3");
  assert.deepEqual(await answered(view), ["r9: no"]);
  await put(view, tool({ id: "c9", status: "rejected" }));
  assert.equal(await focused(view), "textarea");
  await view.close();
});

test("a request leaves the keyboard focus in a prompt that is being written", async () => {
  const view = await working();
  await view.page.keyboard.type("fix the ");
  await ask(view);
  await view.page.keyboard.type("1st test");
  await view.pass(5000);
  await view.page.keyboard.type(" of 2");
  assert.equal(await draft(view), "fix the 1st test of 2");
  assert.deepEqual(await answered(view), []);
  await view.close();
});

test("what is typed when a request appears answers nothing, and goes into the prompt", async () => {
  const view = await working();
  await ask(view);
  await view.page.keyboard.type("1st fix");
  await view.page.keyboard.press("Backspace");
  assert.equal(await draft(view), "1st fi");
  assert.deepEqual(await answered(view), []);
  await view.close();
});

test("no key answers within 700 ms of the request's appearance", async () => {
  for (const key of ["1", "2", "3", "Enter", "Space"]) {
    const view = await working();
    await ask(view);
    await view.page.getByRole("button", { name: "Allow", exact: true }).focus();
    await view.pass(600);
    await view.page.keyboard.press(key);
    await view.frames();
    assert.deepEqual(await answered(view), [], key);
    await view.close();
  }
});

test("no key answers within 700 ms of the key before it", async () => {
  for (const key of ["1", "Enter", "Space"]) {
    const view = await working();
    await ask(view);
    await view.pass(2000);
    await view.page.getByRole("button", { name: "Allow", exact: true }).focus();
    await view.page.keyboard.press("Backspace");
    await view.pass(600);
    await view.page.keyboard.press(key);
    assert.deepEqual(await answered(view), [], key);
    await view.page.locator(".prompt textarea").fill("");
    await view.page.getByRole("button", { name: "Allow", exact: true }).focus();
    await view.pass(700);
    await view.page.keyboard.press(key);
    assert.deepEqual(await answered(view), ["r9: yes"], key);
    await view.close();
  }
});

test("no key answers while the prompt has text, and the request says so", async () => {
  const view = await working();
  await view.page.keyboard.type("wait");
  await ask(view);
  await view.pass(2000);
  await view.page.keyboard.press("Alt+Enter");
  await view.page.keyboard.press("1");
  await view.page.getByRole("button", { name: "Allow", exact: true }).focus();
  for (const key of ["Enter", "Space", "3"]) {
    await view.pass(2000);
    await view.page.keyboard.press(key);
  }
  assert.deepEqual(await answered(view), []);
  await view.page.getByText("To answer with keys, send or clear your message first.").waitFor();
  assert.equal(await draft(view), "wait");
  // A click is deliberate.
  await view.page.getByRole("button", { name: "Allow", exact: true }).click();
  assert.deepEqual(await answered(view), ["r9: yes"]);
  await view.close();
});

test("by keyboard: the request is reached, Enter does not answer it, its number does", async () => {
  const view = await working();
  await ask(view);
  await view.pass(700);
  await view.page.keyboard.press("Escape"); // the user looks elsewhere
  await view.page.locator(".prompt textarea").focus();
  await view.page.keyboard.press("Alt+Enter");
  await view.page.keyboard.press("Enter");
  await view.page.keyboard.press("Space");
  assert.deepEqual(await answered(view), []);
  await view.pass(700);
  await view.page.keyboard.press("2");
  assert.deepEqual(await answered(view), ["r9: always"]);
  await view.close();
});

test("a click on a new request cannot allow it, but may reject it", async () => {
  const view = await working();
  await ask(view);
  const allow = view.page.getByRole("button", { name: "Allow", exact: true });
  const box = await allow.boundingBox();
  assert.ok(box);
  const click = (): Promise<void> => view.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await view.pass(600);
  await click();
  assert.deepEqual(await answered(view), []);
  assert.equal(await allow.getAttribute("aria-disabled"), "true");
  await view.pass(100);
  assert.equal(await allow.getAttribute("aria-disabled"), "false");
  await click();
  assert.deepEqual(await answered(view), ["r9: yes"]);
  await ask(view, request("next"));
  await view.page.getByRole("button", { name: "Reject" }).click();
  assert.deepEqual(await answered(view), ["r9: yes", "next: no"]);
  await view.close();
});

test("a click does not allow a request that has just moved below the pointer", async () => {
  const view = await working();
  await ask(view, request("first", "one"));
  await put(view, request("second", "two"));
  await view.pass(5000);
  await put(view, tool({ id: "one" }));
  const box = await view.page.getByRole("button", { name: "Allow", exact: true }).boundingBox();
  assert.ok(box);
  await view.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  assert.deepEqual(await answered(view), []);
  await view.close();
});

test("a double click and a key that is held down answer one request, and not the next one", async () => {
  const view = await working();
  await ask(view, request("first"));
  await view.pass(700);
  const box = await view.page.getByRole("button", { name: "Allow", exact: true }).boundingBox();
  assert.ok(box);
  await view.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await ask(view, request("second"));
  await view.pass(700);
  await view.page.mouse.down({ clickCount: 2 });
  await view.page.mouse.up({ clickCount: 2 });
  assert.deepEqual(await answered(view), ["first: yes"]);
  await view.page.locator(".permission").focus();
  await view.page.keyboard.down("1");
  await ask(view, request("third"));
  await view.page.locator(".permission").focus();
  for (let i = 0; i < 100; i++) {
    await view.pass(30);
    await view.page.keyboard.down("1");
  }
  assert.deepEqual(await answered(view), ["first: yes", "second: yes"]);
  await view.close();
});

test("a permission is given only by the option that was chosen, and once", async () => {
  const view = await working();
  await ask(view);
  const { page } = view;
  assert.equal(await page.locator(".command").innerText(), "rm -r build && make");
  await page.locator(".card-head").click();
  assert.ok(await page.locator(".command").isVisible(), "what is agreed to stays in sight");
  await page.getByRole("button", { name: "Reject" }).dblclick();
  await view.frames();
  assert.deepEqual(await answered(view), ["r9: no"]);
  assert.ok(await page.getByRole("button", { name: "Allow", exact: true }).isDisabled());
  await view.close();
});

test("a form and a login that have just appeared are not answered by a click", async () => {
  const view = await working();
  const field = { name: "sure", label: "Delete all of it", required: false, input: { kind: "boolean", default: true } } as const;
  await view.post(chat([{ type: "question", id: "q", message: "Sure?", fields: [field] }, wanted], { ...session({ status: "running" }) }));
  const answers = async (): Promise<string[]> => (await view.all()).map((m) => m.type).filter((type) => type === "answer" || type === "login");
  const press = async (name: string): Promise<void> => {
    const box = await view.page.getByRole("button", { name, exact: true }).boundingBox();
    assert.ok(box);
    await view.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  };
  await view.pass(600);
  await press("Answer");
  await press("Log in with the browser");
  assert.deepEqual(await answers(), []);
  await view.pass(100);
  await press("Answer");
  await press("Log in with the browser");
  assert.deepEqual(await answers(), ["answer", "login"]);
  await view.close();
});
