/** Changes that are refused one by one, in the card of a permission request. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { ToolCall } from "../../src/shared/model.js";
import { makeDiff } from "../../src/chat/diff.js";
import { leaveBrowser } from "../browser.js";
import { assertAccessible, loadAxe } from "./axe.js";
import { chat, tool } from "./chats.js";
import { View, type ViewOptions } from "./view.js";

after(leaveBrowser);

const wide = `const message = "${"a long text ".repeat(20)}";\n`;
const lines = (from: number, to: number): string => Array.from({ length: to - from }, (_, i) => `let line${from + i};\n`).join("");
const [a, b] = ["/project/a.ts", "/project/lib/b.ts"];
const diffs = [
  makeDiff(a, `one();\n${lines(0, 30)}two();\n${wide}${lines(30, 40)}`, `first();\n${lines(0, 30)}second();\nthird();\n${wide.replace("a long", "A long")}${lines(30, 40)}`),
  makeDiff(b, "x();\n", "y();\n"),
];

const request = tool({
  id: "edit", title: "Edit a.ts and b.ts", kind: "edit", status: "pending", content: diffs,
  permission: {
    requestId: "r",
    reason: "It changes two files.",
    parts: [{ path: a, changes: 2, refused: [] }, { path: b, changes: 1, refused: [] }],
    options: [
      { id: "yes", name: "Allow", kind: "allow_once" },
      { id: "always", name: "Always allow changes to these files", kind: "allow_always" },
      { id: "no", name: "Reject", kind: "reject_once" },
    ],
  },
});

/** Returns the request with these changes refused. */
function without(refused: Record<string, number[]>): ToolCall {
  const { permission = assert.fail() } = request;
  return { ...request, permission: { ...permission, parts: permission.parts?.map((part) => ({ ...part, refused: refused[part.path] ?? [] })) ?? [] } };
}

/** The request in a view, and the changes that are refused. */
interface Asked {
  view: View;
  /** Does what the host does when the view has refused a change or accepted it again. */
  follow: () => Promise<void>;
}

async function asked(options: ViewOptions = {}): Promise<Asked> {
  const view = await View.open({ height: 1000, ...options });
  await view.post(chat([request], { status: "running" }));
  const refused: Record<string, number[]> = {};
  let revision = 1;
  const follow = async (): Promise<void> => {
    const { requestId, path, change, refused: refuses } = await view.sent("refuse");
    assert.equal(requestId, "r");
    const others = (refused[path] ?? []).filter((one) => one !== change);
    refused[path] = refuses ? [...others, change] : others;
    await view.post({ type: "changes", revision: ++revision, changes: [{ type: "item", item: without(refused) }] });
  };
  return { view, follow };
}

async function press({ view, follow }: Asked, number: number): Promise<void> {
  await toggle(view, number).click();
  await follow();
}

const toggle = (view: View, number: number) => view.page.getByRole("button", { name: `Accept change ${number} of 3` });
const button = (view: View, name: string | RegExp) => view.page.getByRole("button", { name, exact: typeof name === "string" });
const pressed = (view: View): Promise<(string | null)[]> => view.page.locator(".change-toggle").evaluateAll((all) => all.map((one) => one.getAttribute("aria-pressed")));
const permissions = async (view: View) => (await view.all()).filter((message) => message.type === "permission");

test("the changes that are left are allowed", async () => {
  const all = await asked();
  const { view } = all;
  assert.deepEqual(await pressed(view), ["true", "true", "true"]);
  await button(view, "Allow").waitFor();
  await press(all, 2);
  assert.deepEqual(await pressed(view), ["true", "false", "true"]);
  assert.deepEqual(await view.page.locator(".row.declined").evaluateAll((rows) => rows.map((row) => row.className)), [
    "row removed declined", "row removed declined", "row added declined", "row added declined", "row added declined",
  ]);
  await view.page.getByText("2 of 3 changes accepted.").waitFor({ state: "attached" });
  assert.equal(await button(view, /^Always allow/).isDisabled(), true);
  await view.page.locator(".buttons [aria-disabled=false]", { hasText: "Allow 2 of 3 changes" }).click();
  assert.deepEqual(await permissions(view), [{ type: "permission", requestId: "r", optionId: "yes" }]);
  assert.deepEqual(view.errors, []);
  await view.close();
});

test("a change that is accepted again is allowed like the others", async () => {
  const all = await asked();
  const { view } = all;
  await press(all, 3);
  assert.deepEqual(await pressed(view), ["true", "true", "false"]);
  await press(all, 3);
  assert.deepEqual(await pressed(view), ["true", "true", "true"]);
  await view.page.locator(".buttons [aria-disabled=false]", { hasText: /^Allow/ }).first().click();
  assert.deepEqual(await permissions(view), [{ type: "permission", requestId: "r", optionId: "yes" }]);
  await view.close();
});

test("if all changes are refused, the call can only be rejected", async () => {
  const all = await asked();
  const { view } = all;
  for (const number of [1, 2, 3]) await press(all, number);
  assert.equal(await button(view, /^Allow 0 of 3 changes/).isDisabled(), true);
  assert.equal(await button(view, /^Always allow/).isDisabled(), true);
  assert.match((await button(view, "Reject").getAttribute("class")) ?? "", /primary/);
  await view.page.keyboard.press("1");
  await button(view, "Reject").click();
  assert.deepEqual(await permissions(view), [{ type: "permission", requestId: "r", optionId: "no" }]);
  await view.close();
});

test("the keyboard refuses changes, and allows the others", async () => {
  const { view, follow } = await asked({ virtualTime: true });
  await view.pass(2000);
  const visited: string[] = [];
  await view.page.locator(".card-head").focus();
  for (let i = 0; i < 20 && visited.length < 3; i++) {
    await view.page.keyboard.press("Tab");
    const name = await view.page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
    if (!name.startsWith("Accept change")) continue;
    visited.push(name);
    if (visited.length !== 2) {
      await view.page.keyboard.press("Space");
      await follow();
    }
    assert.equal(await view.page.evaluate(() => document.activeElement?.getAttribute("aria-label")), name, "the focus moved");
  }
  assert.deepEqual(visited, [1, 2, 3].map((number) => `Accept change ${number} of 3`));
  assert.deepEqual(await pressed(view), ["false", "true", "false"]);
  await view.page.locator(".permission").focus();
  await view.pass(2000);
  await view.page.keyboard.press("2"); // it would allow everything, always
  assert.deepEqual(await permissions(view), []);
  await view.pass(2000);
  await view.page.keyboard.press("1");
  assert.deepEqual(await permissions(view), [{ type: "permission", requestId: "r", optionId: "yes" }]);
  await view.close();
});

test("a diff that doesn't show these changes offers none to refuse", async () => {
  const view = await View.open();
  await view.post(chat([{ ...request, content: [makeDiff(a, "1\n", "2\n")] }], { status: "running" }));
  assert.equal(await view.page.locator(".change-toggle").count(), 0);
  await view.post(chat([tool({ id: "edit", content: diffs })]));
  assert.equal(await view.page.locator(".change-toggle").count(), 0);
  await view.close();
});

for (const theme of ["dark", "light", "high-contrast", "high-contrast-light"] as const) {
  for (const width of [320, 700]) {
    test(`the changes fit into ${width} pixels, and are accessible in the ${theme} theme`, async () => {
      const all = await asked({ theme, width });
      const { view } = all;
      await loadAxe(view);
      await press(all, 2);
      const wideRows = view.page.locator(".rows").first();
      await wideRows.evaluate((element) => element.scrollTo(600, 0));
      const at = await toggle(view, 1).boundingBox();
      const frame = await wideRows.boundingBox();
      assert.ok(at && frame && at.x >= frame.x && at.x + at.width <= frame.x + frame.width, "a toggle is scrolled away");
      assert.ok(at.height >= 24);
      await assertAccessible(view, "refused changes");
      assert.equal(await view.page.evaluate(() => document.documentElement.scrollWidth), width);
      await wideRows.evaluate((element) => element.scrollTo(0, 0));
      await view.screenshot(`partial-${theme}-${width}`);
      await view.close();
    });
  }
}
