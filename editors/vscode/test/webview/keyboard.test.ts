/** What the keyboard does in the prompt and after answers. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Field, Item } from "../../src/shared/model.js";
import { leaveBrowser } from "../browser.js";
import { chat, everything, tool } from "./chats.js";
import { View } from "./view.js";

after(leaveBrowser);

const choices = ["Half up", "Half even"].map((value) => ({ value, label: value }));
const answer: Field = { name: "answer", label: "Rounding", required: false, input: { kind: "choice", choices } };
const own: Field = { name: "own", label: "Your own answer", required: false, input: { kind: "text", multiline: true } };
const question = (fields: Field[]): Item => ({ type: "question", id: "q", message: "How should cents be rounded?", fields });

const focused = (view: View): Promise<string | undefined> => view.page.evaluate(() => document.activeElement?.localName);

async function asked(fields: Field[]): Promise<View> {
  const view = await View.open({ virtualTime: true });
  await view.post(chat([], { status: "running" }), { type: "focus" });
  await view.post({ type: "changes", revision: 2, changes: [{ type: "item", item: question(fields) }] });
  return view;
}

test("a digit answers a question with choices, and the focus returns to the prompt", async () => {
  const view = await asked([answer, own]);
  assert.equal(await focused(view), "form");
  await view.page.keyboard.press("2");
  assert.equal((await view.all()).some(({ type }) => type === "answer"), false, "it has just appeared");
  await view.pass(800);
  await view.screenshot("question-choices");
  await view.page.keyboard.press("2");
  assert.deepEqual(await view.sent("answer"), { type: "answer", questionId: "q", values: { answer: "Half even" } });
  await view.frames();
  assert.equal(await focused(view), "textarea");
  await view.close();
});

test("a question with choices takes another answer", async () => {
  const view = await asked([answer, own]);
  await view.pass(800);
  await view.page.getByRole("button", { name: "Answer" }).click();
  assert.equal((await view.all()).some(({ type }) => type === "answer"), false, "it was empty");
  await view.page.getByLabel("Your own answer").fill("2 digits");
  await view.page.keyboard.press("Enter");
  assert.deepEqual(await view.sent("answer"), { type: "answer", questionId: "q", values: { own: "2 digits" } });
  await view.frames();
  assert.equal(await focused(view), "textarea");
  await view.close();
});

test("after a click on an answer, on Queue, on Latest and after Escape, the prompt has the focus", async () => {
  const view = await asked([answer]);
  await view.pass(800);
  await view.page.getByRole("button", { name: "Half up" }).click();
  await view.frames();
  assert.equal(await focused(view), "textarea");
  await view.page.locator("textarea").fill("Sent with the mouse");
  await view.page.getByRole("button", { name: "Queue" }).click();
  await view.frames();
  assert.equal(await focused(view), "textarea");
  await view.post(chat(everything()));
  await view.page.locator(".log").hover();
  await view.page.mouse.wheel(0, -600);
  await view.page.getByRole("button", { name: "Latest" }).click();
  await view.frames();
  assert.equal(await focused(view), "textarea");
  await view.page.getByRole("button", { name: "Chats" }).click();
  await view.frames();
  await view.page.keyboard.press("Escape");
  await view.frames();
  assert.equal(await focused(view), "textarea");
  await view.close();
});

test("Enter sends a command that was typed to its end, and completes another", async () => {
  const view = await View.open();
  await view.post(chat([], { commands: [{ name: "help-me", description: "" }, { name: "help", description: "" }] }), { type: "focus" });
  await view.page.keyboard.type("/help");
  await view.page.locator(".list-box").waitFor();
  await view.page.keyboard.press("Enter");
  assert.equal((await view.sent("prompt")).text, "/help");
  await view.page.keyboard.type("/help-");
  await view.page.keyboard.press("Enter");
  assert.equal(await view.page.locator(".prompt textarea").inputValue(), "/help-me ");
  await view.close();
});

test("the arrow keys recall prompts, also those of earlier sessions", async () => {
  const view = await View.open();
  const text = () => view.page.locator(".prompt textarea").inputValue();
  const press = async (key: string) => {
    await view.page.keyboard.press(key);
    await view.frames();
    return text();
  };
  await view.post(chat([]), { type: "focus" });
  for (const prompt of ["First.", "Second."]) {
    await view.page.keyboard.type(prompt);
    await view.page.keyboard.press("Enter");
  }
  await view.reload();
  await view.post(chat([{ type: "user", id: "u", text: "Third, elsewhere.", attachments: [] }]), { type: "focus" });
  assert.equal(await press("ArrowUp"), "Third, elsewhere.");
  assert.equal(await press("ArrowUp"), "Second.");
  assert.equal(await press("ArrowUp"), "First.");
  assert.equal(await press("ArrowUp"), "First.");
  assert.equal(await press("ArrowDown"), "Second.");
  assert.equal(await press("ArrowDown"), "Third, elsewhere.");
  assert.equal(await press("ArrowDown"), "");
  await view.page.keyboard.type("draft");
  assert.equal(await press("ArrowUp"), "draft");
  await view.close();
});

test("Ctrl+F finds text in the whole chat, also in items that are not drawn", async () => {
  const view = await View.open({ height: 500 });
  const { page } = view;
  const calls = Array.from({ length: 300 }, (_, i) => tool({ id: `c${i}`, title: i % 100 === 7 ? `The needle ${i}` : `Call ${i}` }));
  await view.post(chat(calls), { type: "focus" });
  await page.keyboard.press("Control+f");
  await page.keyboard.type("NEEDLE");
  const status = page.locator(".find-status");
  assert.equal(await status.innerText(), "3 of 3");
  const inSight = (id: string) => page.waitForFunction((wanted) => {
    const box = document.querySelector(`.found[data-id=${wanted}]`)?.getBoundingClientRect();
    return box && box.top >= 0 && box.bottom <= innerHeight;
  }, id);
  await inSight("c207");
  await page.keyboard.press("Enter");
  assert.equal(await status.innerText(), "1 of 3");
  await inSight("c7");
  assert.equal(await page.evaluate(() => [...CSS.highlights.get("turnwire-found")!].join()), "needle");
  await view.screenshot("find");
  await page.keyboard.press("Shift+Enter");
  await inSight("c207");
  await page.locator(".find input").fill("absent");
  assert.equal(await status.innerText(), "Not found");
  await page.keyboard.press("Escape");
  await view.frames();
  assert.equal(await focused(view), "textarea");
  assert.equal(await page.locator(".find, .found").count(), 0);
  await view.close();
});

test("the agent of an empty chat is chosen by one click, from the editor's list if it has one", async () => {
  const view = await View.open();
  await view.post(chat([], { agent: "ask", agents: ["ask", "echo"] }));
  await view.page.getByRole("combobox", { name: "Agent: ask" }).click();
  await view.page.getByRole("option", { name: "echo" }).click();
  assert.deepEqual(await view.sent("newSession"), { type: "newSession", agent: "echo" });
  await view.post(chat([], { agent: "ask", agents: ["ask"], listsAgents: true }));
  await view.page.getByRole("button", { name: "Agent: ask" }).click();
  await view.sent("chooseAgent");
  await view.post(chat(everything(), { agent: "ask", agents: ["ask", "echo"], listsAgents: true }));
  await view.frames();
  assert.equal(await view.page.locator('[aria-label="Agent: ask"]').count(), 0);
  await view.close();
});
