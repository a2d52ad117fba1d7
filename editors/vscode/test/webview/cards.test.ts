/** A card says everything once and truthfully, and folds what is irrelevant. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeDiff } from "../../src/chat/diff.js";
import type { Item, ToolCall } from "../../src/shared/model.js";
import { leaveBrowser } from "../browser.js";
import { began, chat, tool } from "./chats.js";
import { changed, traceback } from "./states.js";
import { View } from "./view.js";

after(leaveBrowser);

const folder = "/home/ada/src/project";
const options = [
  { id: "yes", name: "Allow", kind: "allow_once" },
  { id: "always", name: "Always allow", kind: "allow_always" },
  { id: "no", name: "Reject", kind: "reject_once" },
] as const;

async function shown(items: Item[], width = 450): Promise<View> {
  const view = await View.open({ width, height: 1600 });
  await view.post(chat(items, { folders: [folder] }));
  return view;
}

const before = ["rm -r /", ...Array.from({ length: 20 }, (_, i) => `line ${i}`), ""].join("\n");
const hiding = makeDiff("/a", before, before.replace("line 15", "line fifteen"));

const asked = (part: Partial<ToolCall>): Item => tool({ id: "c", kind: "execute", status: "pending", permission: { requestId: "r", options: [...options] }, ...part });

test("arguments are folded if the command or diff shows them, and otherwise visible in requests", async () => {
  const open: [Partial<ToolCall>, number][] = [
    [{ input: JSON.stringify({ command: "make", cwd: "/w", timeout: 60_000 }) }, 0],
    [{ input: JSON.stringify({ command: "make", sandbox: false }) }, 0],
    [{ input: JSON.stringify({ command: "make", withoutSandbox: true }) }, 1],
    [{ input: JSON.stringify({ command: "make", stdin: "rm -r /" }) }, 1],
    [{ kind: "edit", content: [changed], input: JSON.stringify({ path: changed.path, old_string: "return s.values[key], nil", all: true }) }, 0],
    [{ kind: "edit", content: [changed], input: JSON.stringify({ path: changed.path, content: changed.newText }) }, 0],
    [{ kind: "edit", content: [changed], input: JSON.stringify({ path: changed.path, then: "rm -r /" }) }, 1],
    // The file contains it, but none of the visible lines do.
    [{ kind: "edit", content: [hiding], input: JSON.stringify({ path: "/a", then: "rm -r /" }) }, 1],
    [{ kind: "fetch", input: JSON.stringify({ url: "https://example.org" }) }, 1],
  ];
  for (const [part, json] of open) {
    const view = await shown([asked(part)]);
    assert.equal(await view.page.locator(".json").count(), json, part.input);
    if (part.input?.includes("/w")) assert.equal(await view.page.locator(".typed .caption").innerText(), "in /w");
    const fold = view.page.getByRole("button", { name: "Arguments" });
    if (await fold.count()) {
      await fold.click();
      assert.equal(await view.page.locator(".json").count(), 1);
    }
    await view.close();
  }
});

test("a difference has the numbers of its lines, and marks the words that changed", async () => {
  const view = await shown([tool({ id: "c", kind: "edit", content: [changed] })]);
  const rows = view.page.locator(".row");
  assert.equal(await rows.filter({ hasText: "under a key" }).locator(".line-number").innerText(), " 8");
  assert.equal(await rows.filter({ hasText: "under its key" }).locator(".line-number").innerText(), "12");
  assert.deepEqual(await rows.filter({ hasText: "under" }).locator("mark").allInnerTexts(), ["a", "its"]);
  assert.equal(await rows.filter({ hasText: "under its key" }).locator(".sign").innerText(), "+");
  await view.close();
});

test("completed reads and searches collapse into one line, and failed ones stay separate", async () => {
  const read = (n: number, part: Partial<ToolCall> = {}): Item =>
    tool({ id: `r${n}`, title: `Read ${n}.go`, kind: "read", locations: [{ path: `${folder}/${n}.go` }], ...part });
  const view = await shown([read(1), read(2), read(3, { status: "in_progress" })]);
  const { page } = view;
  const run = page.getByRole("button", { name: /^Explored/ });
  assert.equal(await run.innerText(), "Explored 2 files");
  assert.equal(await page.locator(".chunk > .item").count(), 2);
  await view.post({ type: "changes", revision: 2, changes: [
    { type: "item", item: read(3) }, { type: "item", item: tool({ id: "s", kind: "search", title: "Search" }) },
    { type: "item", item: read(4, { status: "failed" }) }, { type: "item", item: read(5) },
  ] });
  assert.equal(await run.innerText(), "Explored 3 files, searched once");
  assert.deepEqual(await page.locator(".chunk > .item").evaluateAll((all) => all.map((one) => one.getAttribute("data-id"))), ["r1", "r4", "r5"]);
  await run.click();
  assert.equal(await page.locator(".item-run .tool").count(), 4);
  await page.getByRole("button", { name: "Read 2.go" }).click();
  await page.locator(".item-run .locations").waitFor();
  await run.click();
  assert.equal(await page.locator(".item-run .tool").count(), 0);
  await view.close();
});

test("an opened call stays visible when it joins a group", async () => {
  const items = ["a", "b"].map((id) => tool({ id, kind: "read", title: `Read ${id}`, status: "in_progress", content: [{ type: "text", text: `text of ${id}`, markdown: false }] }));
  const [first, second] = items;
  assert.ok(first && second);
  const view = await shown([{ ...first, status: "completed" }, second]);
  await view.page.getByRole("button", { name: "Read a" }).click();
  await view.page.getByText("text of a").waitFor();
  await view.post({ type: "changes", revision: 2, changes: [{ type: "item", item: { ...second, status: "completed" } }] });
  await view.page.getByRole("button", { name: "Explored 2 files" }).waitFor();
  assert.ok(await view.page.getByText("text of a").isVisible());
  await view.close();
});

test("paths begin at the workspace's folder, and the name of a file is never cut", async () => {
  const deep = `${folder}/internal/very/deep/down/in/many/folders/below/each/other/configuration.go`;
  const long = `${folder}/a/${"name".repeat(20)}.go`;
  const middle = `${folder}/internal/very/deep/down/in/many/folders/store_benchmark_test.go`;
  for (const width of [300, 450]) {
    const view = await shown([
      tool({ id: "a", title: `Write ${deep} again`, kind: "edit", locations: [{ path: deep, line: 7 }] }),
      tool({ id: "b", title: `Write ${long}`, kind: "edit", content: [{ ...changed, path: long }] }),
      tool({ id: "d", title: `Read and then look through ${middle}`, kind: "fetch", locations: [{ path: middle }] }),
      tool({ id: "c", title: `Compare ${folder}/x.go and ${folder}/y.go`, kind: "other" }),
    ], width);
    const { page } = view;
    await page.locator("[data-id=a] .card-head").click();
    assert.equal(await page.locator("[data-id=a] .card-title").innerText(), `Write ${deep.slice(folder.length + 1)} again`);
    assert.equal(await page.locator("[data-id=c] .card-title").innerText(), "Compare x.go and y.go");
    // Each file name fits into the box that shows its path.
    const cut = await page.locator(".path-name").evaluateAll((all) => all.filter((one) => {
      const range = document.createRange();
      const last = [...one.querySelectorAll("bdi")].at(-1)?.lastChild;
      if (!last) return true;
      range.setStart(last, (last.textContent ?? "").lastIndexOf("/") + 1);
      range.setEnd(last, (last.textContent ?? "").length);
      const title = one.closest(".card-title, .locations, .diff-bar")?.getBoundingClientRect();
      const box = one.getBoundingClientRect();
      return [...range.getClientRects()].some(({ left, right, bottom }) => left < box.left - 1 || right > box.right + 1 || (title && (bottom > title.bottom + 1 || right > title.right + 1)));
    }).map((one) => one.textContent));
    assert.deepEqual(cut, []);
    if (width > 400) assert.ok(await page.locator("[data-id=a] .card-title .path-name").evaluate((one) => one.scrollWidth > one.clientWidth), "nothing was cut");
    await view.close();
  }
});

test("a call's output is shown once, in whatever form it came", async () => {
  const view = await shown([tool({ id: "c", kind: "execute", status: "failed", content: [
    { type: "text", text: "```sh\nok\nFAIL\n```", markdown: true },
    { type: "terminal", terminalId: "t", text: "\u001b[32mok\u001b[0m\r\nFAIL\r\n" },
    { type: "text", text: "ok\nFAIL", markdown: false },
    { type: "text", text: "and more", markdown: false },
  ] })]);
  assert.deepEqual(await view.page.locator(".output .row").allInnerTexts(), ["ok", "FAIL", "and more"]);
  assert.equal(await view.page.locator(".tool .markdown").count(), 0);
  await view.post(chat([tool({ id: "c", status: "cancelled", content: [{ type: "text", text: "cancelled", markdown: false }] })]));
  await view.page.locator(".card-head").click();
  assert.equal(await view.page.locator(".output").count(), 0);
  await view.close();
});

test("a traceback is shown in a code font, in a card and in a notice", async () => {
  const view = await shown([
    tool({ id: "c", status: "failed", content: [{ type: "text", text: traceback, markdown: false }] }),
    { type: "notice", id: "n", severity: "error", title: "The agent has ended.", description: traceback },
    { type: "notice", id: "o", severity: "error", title: "The agent has ended.", description: "It said nothing." },
  ]);
  const faces = await view.page.getByText("ValueError: no model").evaluateAll((all) => all.map((one) => getComputedStyle(one).fontFamily));
  assert.equal(faces.length, 2);
  for (const face of faces) assert.match(face, /Mono/);
  assert.equal(await view.page.locator(".notice-more").innerText(), "It said nothing.");
  await view.close();
});

test("each way a call can fail has its own word and icon", async () => {
  const ways = ["failed", "rejected", "cancelled", "interrupted"] as const;
  const view = await shown(ways.map((status) => tool({ id: status, status, title: "x", decision: status === "rejected" ? "Rejected: No, never" : "Allowed" })));
  assert.deepEqual(await view.page.locator(".state-word").allInnerTexts(), ["Failed", "Rejected", "Cancelled", "Interrupted"]);
  const icons = await view.page.locator(".state path").evaluateAll((all) => all.map((one) => one.getAttribute("d")));
  assert.equal(new Set(icons).size, ways.length);
  assert.equal(await view.page.locator("[data-id=rejected] .facts").innerText(), "", "it never ran");
  await view.close();
});

test("a lasting option says what it covers, and promises no more than the agent does", async () => {
  const notes = async (part: Partial<ToolCall>, name: string): Promise<string[]> => {
    const view = await shown([asked({ ...part, permission: { requestId: "r", options: [{ id: "a", name, kind: "allow_always" }] } })]);
    const found = await view.page.locator(".scope").allInnerTexts();
    await view.close();
    return found;
  };
  const rest = "and possibly more. The agent does not say what else is covered.";
  const command = { input: JSON.stringify({ command: "go test ./..." }) };
  assert.deepEqual(await notes(command, "Always allow"), [`Always allow: go test ./... ${rest}`]);
  assert.deepEqual(await notes(command, "Allow all (always allow)"), [`Allow all (always allow): go test ./... ${rest}`]);
  assert.deepEqual(await notes({ kind: "edit", content: [changed] }, "Always allow"), [`Always allow: this change to internal/store/store.go ${rest}`]);
  assert.deepEqual(await notes({ kind: "fetch", title: "Fetch the notes" }, "Always allow"), [`Always allow: “Fetch the notes” ${rest}`]);
  assert.deepEqual(await notes(command, "Allow in this session (always allow)"), [`Allow in this session (always allow): go test ./... ${rest}`]);
  assert.deepEqual(await notes(command, "Always allow all edits in this chat"), []);
  assert.deepEqual(await notes(command, "Always allow `go test`"), []);
});

test("a call that waits for the user says so and shows no duration", async () => {
  const view = await shown([asked({ started: began, status: "in_progress" })]);
  assert.equal(await view.page.locator(".state .unseen").innerText(), "Waiting for your answer");
  assert.equal(await view.page.locator(".facts").innerText(), "");
  await view.close();
});
