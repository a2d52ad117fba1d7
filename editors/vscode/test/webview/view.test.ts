/** The view shows the host's messages and reports the user's actions. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Field } from "../../src/shared/model.js";
import { asking, began, chat, diff, everything, session, tool } from "./chats.js";
import { leaveBrowser } from "../browser.js";
import { View } from "./view.js";

after(leaveBrowser);

test("a turn is shown whole: words, thoughts, plan, tools inside of tools, differences", async () => {
  const view = await View.open({ height: 2200 });
  await view.post(chat(everything(), { status: "running" }));
  const { page } = view;
  assert.equal(await page.locator(".user-text").innerText(), "Why does Find return an empty value?\nFix it, and run the tests.");
  assert.equal(await page.locator(".thought button").innerText(), "Thought for 3 s");
  assert.equal(await page.locator(".thought-text").count(), 0);
  assert.equal(await page.locator(".plan .facts").innerText(), "1 of 3");
  assert.equal(await page.locator("[data-id=a1] .inside .tool").count(), 0, "a sub-agent that is done is folded");
  await page.locator("[data-id=a1] .card-head").first().click();
  assert.equal(await page.locator("[data-id=a1] .inside .tool").count(), 2);
  assert.match(await page.locator("[data-id=c3] .card-head").innerText(), /Edit internal\/store\.go\s+\+3 −1\s+Allowed once\s+1\.2 s/);
  assert.equal(await page.locator("[data-id=c3] .row.added").count(), 3);
  assert.equal(await page.locator("[data-id=c4] .command").innerText(), "go test -race ./...");
  assert.equal(await page.locator("[data-id=c4] .ansi-red.ansi-bold").innerText(), "FAIL");
  assert.ok((await page.locator(".agent .hljs-keyword").count()) > 3);
  assert.equal(await page.locator(".agent td.align-right").first().innerText(), "error");
  await page.locator(".thought button").click();
  await page.locator(".thought-text").getByText("The map is read without looking whether the key is there.", { exact: true }).waitFor();
  await view.close();
});

test("pieces that stream in make the same page as the text at once", async () => {
  const whole = await View.open();
  const items = everything();
  const message = items.find((item) => item.type === "message");
  assert.ok(message?.type === "message");
  await whole.post(chat([message]));
  const streamed = await View.open();
  await streamed.post(chat([{ ...message, text: "" }]));
  let revision = 2;
  for (let i = 0; i < message.text.length; i += 3) {
    await streamed.page.evaluate((posted) => window.postMessage(posted, "*"), {
      type: "changes", revision: revision++, changes: [{ type: "text", id: message.id, text: message.text.slice(i, i + 3) }],
    });
  }
  await streamed.page.getByText("the language's notes").waitFor();
  await streamed.frames();
  const content = (view: View) => view.page.locator(".agent .markdown").evaluate((element) => [...element.children].map((block) => block.innerHTML.trim()).join("\n").replaceAll("\n", ""));
  assert.equal(await content(streamed), await content(whole));
  await whole.close();
  await streamed.close();
});

test("a chat that waits for its session says so until it is open", async () => {
  const view = await View.open({ height: 500 });
  const heading = view.page.getByRole("heading", { level: 2 });
  await view.post(chat([], { status: "starting", held: true }));
  assert.equal(await heading.innerText(), "Opening this chat…");
  await view.screenshot("waits for its session");
  await view.post(chat([], { status: "idle", held: true }));
  assert.match(await heading.innerText(), /^Chat with/);
  await view.close();
});

test("Enter sends, Shift+Enter breaks the line, and Escape cancels", async () => {
  const view = await View.open();
  await view.post(chat([]), { type: "focus" });
  const { keyboard } = view.page;
  await keyboard.type("one");
  await keyboard.press("Shift+Enter");
  await keyboard.type("two");
  await keyboard.press("Enter");
  assert.deepEqual(await view.sent("prompt"), { type: "prompt", text: "one\ntwo", attachments: [] });
  assert.equal(await view.page.locator("textarea").inputValue(), "");
  await view.post({ type: "changes", revision: 2, changes: [{ type: "session", session: session({ status: "running" }) }] });
  await keyboard.press("Escape");
  await view.sent("cancel");
  await view.close();
});

test("commands are completed at the start of a line, and mentions anywhere", async () => {
  const view = await View.open();
  await view.post(chat([]), { type: "focus" });
  const { page } = view;
  await page.keyboard.type("/r");
  await page.locator("[role=option]").nth(2).waitFor();
  assert.deepEqual(await page.locator("[role=option] .entry-name").allInnerTexts(), ["/read PATH", "/run COMMAND", "/search PATTERN"]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  assert.equal(await page.locator("textarea").inputValue(), "/run ");
  await page.keyboard.type("cat @sto");
  assert.equal((await view.sent("findFiles")).query, "sto");
  await view.post({ type: "files", query: "sto", files: [{ kind: "file", label: "internal/store.go", uri: "file:///w/internal/store.go" }] });
  await page.keyboard.press("Tab");
  assert.equal(await page.locator("textarea").inputValue(), "/run cat @internal/store.go ");
  assert.equal(await page.locator(".attached").innerText(), "internal/store.go");
  await page.keyboard.press("Enter");
  const { attachments } = await view.sent("prompt");
  assert.deepEqual(attachments, [{ kind: "file", label: "internal/store.go", uri: "file:///w/internal/store.go" }]);
  await view.close();
});

test("attachments and focus apply to the chat that they arrive with", async () => {
  const view = await View.open();
  await view.post(chat([]), { type: "focus" });
  const { page } = view;
  await page.keyboard.type("for the first chat");
  const attachment = { kind: "file", label: "b.go", uri: "file:///w/b.go" } as const;
  await view.post(chat([], { chatId: "chat-2" }), { type: "focus" }, { type: "attach", attachment });
  await page.locator(".attached").waitFor();
  await page.keyboard.type("for the second");
  assert.equal(await page.locator("textarea").inputValue(), "for the second");
  await page.keyboard.press("Enter");
  assert.deepEqual((await view.sent("prompt")).attachments, [attachment]);
  await view.close();
});

test("a mention is removed with its text, and other attachments with their button", async () => {
  const view = await View.open();
  await view.post(chat([]), { type: "focus" }, { type: "attach", attachment: { kind: "selection", label: "a.go:1-3", uri: "file:///w/a.go#L1-3" } });
  const { page } = view;
  await page.keyboard.type("@b");
  await view.sent("findFiles");
  await view.post({ type: "files", query: "b", files: [{ kind: "file", label: "b.go", uri: "file:///w/b.go" }] });
  await page.keyboard.press("Enter");
  assert.deepEqual(await page.locator(".attached").allInnerTexts(), ["a.go:1-3", "b.go"]);
  for (let i = 0; i < 3; i++) await page.keyboard.press("Backspace");
  assert.deepEqual(await page.locator(".attached").allInnerTexts(), ["a.go:1-3"]);
  await page.getByRole("button", { name: "Remove a.go:1-3" }).click();
  assert.equal(await page.locator(".attached").count(), 0);
  await view.close();
});

test("modes, options and agents are chosen with the keyboard", async () => {
  const view = await View.open();
  await view.post(chat([]));
  const { page } = view;
  await page.getByRole("combobox", { name: "Mode: Ask" }).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("p");
  await page.keyboard.press("Enter");
  assert.deepEqual(await view.sent("setOption"), { type: "setOption", optionId: "mode", value: "plan" });
  await page.getByRole("switch", { name: "Think" }).press("Space");
  assert.deepEqual(await view.sent("setOption"), { type: "setOption", optionId: "thinks", value: false });
  await page.getByRole("combobox", { name: "New chat with…" }).press("Enter");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  assert.deepEqual(await view.sent("newSession"), { type: "newSession", agent: "Glue" });
  await view.close();
});

const fields: Field[] = [
  { name: "name", label: "Name", required: true, input: { kind: "text", multiline: false, minLength: 2 } },
  { name: "why", label: "Why", required: false, input: { kind: "text", multiline: true } },
  { name: "mail", label: "Mail", required: false, input: { kind: "text", multiline: false, format: "email" } },
  { name: "day", label: "Day", required: false, input: { kind: "text", multiline: false, format: "date", default: "2026-01-05" } },
  { name: "count", label: "Count", required: true, input: { kind: "number", integer: true, minimum: 1, maximum: 9, default: 3 } },
  { name: "sure", label: "Sure", required: false, input: { kind: "boolean", default: true } },
  { name: "colour", label: "Colour", required: true, input: { kind: "choice", choices: [{ value: "r", label: "Red" }, { value: "g", label: "Green" }] } },
  { name: "size", label: "Size", required: false, input: { kind: "choice", choices: [..."abcdefgh"].map((value) => ({ value, label: value })) } },
  { name: "parts", label: "Parts", required: true, input: { kind: "choices", minItems: 2, choices: [{ value: "1", label: "First" }, { value: "2", label: "Second" }, { value: "3", label: "Third" }] } },
];

test("a question is a form with a field for each kind of answer, checked before it is sent", async () => {
  const view = await View.open({ height: 1200 });
  await view.post(chat([{ type: "question", id: "q", message: "What shall it be?", fields }], { status: "running" }));
  const { page } = view;
  const send = page.getByRole("button", { name: "Answer" });
  await send.click();
  assert.equal((await view.all()).some((message) => message.type === "answer"), false, "a required field is empty");
  await page.getByLabel("Name").fill("Ada");
  await page.getByLabel("Mail").fill("ada@example.org");
  await page.getByLabel("Green").check();
  await page.getByLabel("Size").selectOption("c");
  await page.getByLabel("First").check();
  await send.click();
  assert.equal((await view.all()).some((message) => message.type === "answer"), false, "too few parts");
  await page.getByLabel("Third").check();
  await view.screenshot("question");
  await send.click();
  assert.deepEqual(await view.sent("answer"), {
    type: "answer",
    questionId: "q",
    values: { name: "Ada", mail: "ada@example.org", day: "2026-01-05", count: 3, sure: true, colour: "g", size: "c", parts: ["1", "3"] },
  });
  await view.post({ type: "changes", revision: 2, changes: [{ type: "item", item: { type: "question", id: "q", message: "What shall it be?", fields, answer: "Ada, 3, Green" } }] });
  assert.equal(await page.locator(".answer").innerText(), "Ada, 3, Green");
  await view.close();
});

test("the buttons on code, diffs, files and notices tell the host the action", async () => {
  const view = await View.open({ height: 1200 });
  await view.post(chat([
    { type: "message", id: "m", text: "```sh\nmake all\n```", blocks: [] },
    tool({ id: "c", kind: "edit", content: [{ type: "text", text: "Done.", markdown: false }, diff("src/a.go")] }),
    { type: "notice", id: "n", severity: "error", title: "The agent stopped (exit status 3).", retry: true },
  ]));
  const { page } = view;
  await page.getByRole("button", { name: "Copy", exact: true }).click();
  assert.equal((await view.sent("copy")).text, "make all");
  await page.getByRole("button", { name: "Insert at the cursor" }).click();
  assert.equal((await view.sent("insert")).text, "make all");
  await page.getByRole("button", { name: "Open in the diff editor" }).click();
  assert.deepEqual(await view.sent("openDiff"), { type: "openDiff", toolCallId: "c", index: 1 });
  await page.getByRole("button", { name: "src/a.go" }).click();
  assert.equal((await view.sent("openFile")).path, "src/a.go");
  await page.getByRole("button", { name: "Try again" }).click();
  await view.sent("retry");
  await view.close();
});

test("a view that has missed a change asks for the chat again", async () => {
  const view = await View.open();
  await view.post(chat([]));
  await view.forget();
  await view.post({ type: "changes", revision: 5, changes: [{ type: "text", id: "m", text: "x" }] });
  await view.sent("ready");
  await view.post({ type: "changes", revision: 6, changes: [] }, chat([{ type: "message", id: "m", text: "whole", blocks: [] }]));
  assert.equal(await view.page.locator(".agent").innerText(), "whole");
  assert.equal((await view.all()).length, 1);
  await view.close();
});

test("pictures are shown if they came as data of a known kind, and named otherwise", async () => {
  const view = await View.open();
  const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  await view.post(chat([{ type: "message", id: "m", text: `![dot](data:image/png;base64,${dot})`, blocks: [
    { type: "image", data: dot, mimeType: "image/png" }, { type: "image", data: dot, mimeType: "image/svg+xml" },
  ] }]));
  const loaded = await view.page.locator(".agent img").evaluateAll((all) => all.map((image) => (image as HTMLImageElement).naturalWidth));
  assert.deepEqual(loaded, [1, 1]);
  assert.match(await view.page.locator(".agent .chip").innerText(), /Unsupported image \(image\/svg\+xml\)/);
  assert.deepEqual(await view.violations(), []);
  await view.close();
});

test("tool calls that name each other as parents are shown beside each other", async () => {
  const view = await View.open();
  await view.post(chat([tool({ id: "a", parent: "b" }), tool({ id: "b", parent: "a" }), tool({ id: "c", parent: "c" }), tool({ id: "d", parent: "gone" })]));
  assert.equal(await view.page.locator(".tool").count(), 3, "the last of them is folded into the other");
  await view.page.locator(".tool .card-head").first().click();
  assert.equal(await view.page.locator(".tool").count(), 4);
  assert.deepEqual(view.errors, []);
  await view.close();
});

test("a thought counts while it lasts and says how long it took", async () => {
  const view = await View.open();
  const setClock = (time: number) => view.page.evaluate((now) => void (Date.now = () => now), time);
  await setClock(began + 5000);
  await view.post(chat([{ type: "thought", id: "t", text: "Hm.", started: began }], { status: "running" }));
  assert.equal(await view.page.locator(".thought button").innerText(), "Thinking 5 s");
  await setClock(began + 65_000);
  await view.page.locator(".thought button").getByText("Thinking 1 min 5 s").waitFor();
  await view.post({ type: "changes", revision: 2, changes: [{ type: "item", item: { type: "thought", id: "t", text: "Hm.", started: began, ended: began + 7200 } }] });
  assert.equal(await view.page.locator(".thought button").innerText(), "Thought for 7 s");
  await view.close();
});

test("a sub-agent's question comes into sight, though its card was closed", async () => {
  const view = await View.open();
  const [, call] = asking;
  assert.ok(call?.type === "tool");
  await view.post(chat([tool({ id: "a", title: "Delegate", status: "in_progress" }), tool({ id: "b", parent: "a", title: "Read" })], { status: "running" }));
  await view.page.getByRole("button", { name: "Delegate" }).click();
  assert.equal(await view.page.locator(".inside").count(), 0);
  await view.post({ type: "changes", revision: 2, changes: [{ type: "item", item: { ...call, parent: "a" } }] });
  assert.ok(await view.page.locator(".inside .command").isVisible());
  await view.page.getByRole("button", { name: "Reject" }).click();
  assert.equal((await view.sent("permission")).requestId, "r9");
  await view.close();
});

test("output is copied as it is read: without colours, and whole", async () => {
  const view = await View.open();
  await view.post(chat([tool({ id: "c", status: "failed", content: [{ type: "terminal", terminalId: "x", text: `\u001b[31mred\u001b[0m\n${"x".repeat(5000)}\n` }] })]));
  await view.page.locator(".output").hover();
  await view.page.getByRole("button", { name: "Copy the output" }).click();
  assert.equal((await view.sent("copy")).text, `red\n${"x".repeat(5000)}\n`);
  await view.close();
});

test("paths inside of the workspace are shown from its folder on", async () => {
  const view = await View.open();
  await view.post(chat([
    tool({ id: "c", content: [diff("/home/ada/notes/src/a.go")] }),
    tool({ id: "d", status: "failed", locations: [{ path: "/home/ada/notesshop/b.go", line: 3 }] }),
  ], { folders: ["/home/ada/notes"] }));
  assert.deepEqual(await view.page.locator(".path").allInnerTexts(), ["src/a.go", "/home/ada/notesshop/b.go:3"]);
  await view.page.getByRole("button", { name: "src/a.go" }).click();
  assert.equal((await view.sent("openFile")).path, "/home/ada/notes/src/a.go");
  await view.close();
});

test("names of built-in object members work like any others", async () => {
  const view = await View.open();
  const names = ["__proto__", "constructor", "toString"];
  const asked: Field[] = names.map((name) => ({ name, label: name, required: true, input: { kind: "text", multiline: false } }));
  await view.post(chat([
    ...names.map((id) => tool({ id, title: `call ${id}`, input: "{}" })),
    { type: "question", id: "__proto__ question", message: "Names?", fields: asked },
  ]));
  assert.equal(await view.page.locator(".card-body:not(.form)").count(), 0);
  for (const name of names) await view.page.getByRole("textbox", { name }).fill("x");
  await view.page.getByRole("button", { name: "Answer" }).click();
  await view.sent("answer");
  // Checked in the page, because such names get lost on the way out of it.
  const entries = await view.page.evaluate(() => window.sentToHost.flatMap((message) => (message.type === "answer" ? Object.entries(message.values) : [])));
  assert.deepEqual(entries, names.map((name) => [name, "x"]));
  await view.close();
});
