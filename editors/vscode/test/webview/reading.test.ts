/** What is open, folded and in sight while and after an agent works. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Item } from "../../src/shared/model.js";
import { leaveBrowser } from "../browser.js";
import { chat, tool } from "./chats.js";
import { View } from "./view.js";

after(leaveBrowser);

const change = (item: Item, revision: number) => ({ type: "changes" as const, revision, changes: [{ type: "item" as const, item }] });

test("a sub-agent folds when it is done, and its result is below its calls", async () => {
  const view = await View.open();
  const agent = (status: "in_progress" | "completed") => tool({ id: "a", kind: "think", title: "Review", status, content: status === "completed" ? [{ type: "text", text: "All fine.", markdown: true }] : [] });
  await view.post(chat([agent("in_progress"), { ...tool({ id: "b", title: "Inner call" }), parent: "a" }], { status: "running" }));
  const inner = view.page.locator("[data-id=b]");
  assert.equal(await inner.count(), 1);
  await view.post(change(agent("completed"), 2));
  assert.equal(await inner.count(), 0);
  await view.page.locator("[data-id=a] .card-head").click();
  const top = async (text: string) => (await view.page.getByText(text).boundingBox())?.y ?? NaN;
  assert.ok((await top("Inner call")) < (await top("All fine.")));
  await view.close();
});

test("the output of a command that the user typed stays open", async () => {
  const view = await View.open();
  const call = (id: string, command: string) => tool({ id, kind: "execute", title: command, input: JSON.stringify({ command }), content: [{ type: "terminal", terminalId: id, text: `output of ${id}`, exitCode: 0 }] });
  await view.post(chat([{ type: "user", id: "u", text: "/run ls -l", attachments: [] }, call("typed", "ls -l"), call("other", "rm -r build")]));
  assert.equal(await view.page.getByText("output of typed").count(), 1);
  assert.equal(await view.page.getByText("output of other").count(), 0);
  await view.close();
});

test("the plan of a running turn stays above the prompt", async () => {
  const view = await View.open();
  const entries = (["completed", "in_progress", "pending"] as const).map((status, i) => ({ content: `Step ${i + 1}`, status, priority: "medium" as const }));
  await view.post(chat([{ type: "plan", id: "p", entries }], { status: "running" }));
  const pinned = view.page.locator(".pinned-plan");
  assert.match(await pinned.innerText(), /Step 2\s*1 of 3/);
  await pinned.getByRole("button").click();
  assert.equal(await pinned.locator(".step").count(), 3);
  await view.screenshot("plan-pinned");
  await view.post(change({ type: "plan", id: "p", entries: entries.map((entry) => ({ ...entry, status: "completed" as const })) }, 2));
  assert.equal(await pinned.count(), 0);
  await view.close();
});

test("the code of a diff has colours, and its changed words are marked", async () => {
  const view = await View.open();
  const lines = [
    { kind: "removed" as const, text: 'const a = "<old>";', number: 1, marks: [[11, 16]] as [number, number][] },
    { kind: "added" as const, text: 'const a = "<new>";', number: 1, marks: [[11, 16]] as [number, number][] },
  ];
  await view.post(chat([tool({ id: "d", kind: "edit", content: [{ type: "diff", path: "/w/a.ts", oldText: "x", newText: "y", lines, added: 1, removed: 1 }] })]));
  assert.deepEqual(await view.page.locator(".diff mark").allInnerTexts(), ["<old>", "<new>"]);
  assert.deepEqual(await view.page.locator(".diff .hljs-keyword").allInnerTexts(), ["const", "const"]);
  assert.deepEqual(await view.page.locator(".diff .row").allInnerTexts(), ['1−const a = "<old>";', '1+const a = "<new>";']);
  await view.screenshot("diff-coloured");
  await view.close();
});

test("wide code fades at the edge that hides more of it", async () => {
  const view = await View.open();
  const text = `\`\`\`\n${"wide ".repeat(60)}\n\`\`\`\n\n\`\`\`\nnarrow\n\`\`\``;
  await view.post(chat([{ type: "message", id: "m", text, blocks: [] }]));
  const fades = (of: number): Promise<string[]> =>
    view.page.locator(".code pre").nth(of).evaluate((pre) => ["--more-before", "--more-behind"].map((name) => getComputedStyle(pre).getPropertyValue(name)));
  assert.deepEqual(await fades(1), ["0px", "0px"]);
  await view.page.waitForFunction(() => getComputedStyle(document.querySelector(".code pre")!).getPropertyValue("--more-behind") === "32px");
  assert.deepEqual(await fades(0), ["0px", "32px"]);
  await view.page.locator(".code pre").first().evaluate((pre) => pre.scrollBy({ left: 10_000 }));
  await view.page.waitForFunction(() => getComputedStyle(document.querySelector(".code pre")!).getPropertyValue("--more-behind") === "0px");
  assert.deepEqual(await fades(0), ["32px", "0px"]);
  await view.close();
});
