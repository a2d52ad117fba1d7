/** Logins, and secrets in forms. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Item, Login } from "../../src/shared/model.js";
import { chat, wanted } from "./chats.js";
import { leaveBrowser } from "../browser.js";
import { View } from "./view.js";

after(leaveBrowser);

const change = (view: View, revision: number, item: Item): Promise<void> => view.post({ type: "changes", revision, changes: [{ type: "item", item }] });

test("a login describes each method, and only the chosen one is sent", async () => {
  const view = await View.open({ height: 700 });
  await view.post(chat([wanted], { status: "starting" }), { type: "focus" });
  const { page } = view;
  assert.equal(await page.locator(".login .command").innerText(), "/usr/local/bin/turnwire acp --agent acp -- claude-agent-acp --cli");
  assert.deepEqual(await page.locator(".variables li").allInnerTexts(), ["TEA_API_KEY The key of your account", "TEA_BASE_URL optional"]);
  assert.equal(await page.getByRole("button", { name: "Use a key" }).count(), 0);
  await view.screenshot("login");
  await page.keyboard.press("Alt+Enter");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Space");
  assert.equal((await view.all()).some(({ type }) => type === "login"), false, "a key that was meant for the offer has chosen");
  await page.getByRole("button", { name: "Log in in a terminal" }).dblclick();
  assert.deepEqual((await view.all()).filter(({ type }) => type === "login"), [{ type: "login", loginId: wanted.id, methodId: "terminal" }]);
  await change(view, 2, { ...wanted, trying: "terminal" } satisfies Login);
  assert.ok(await page.getByRole("button", { name: "Log in with the browser" }).isDisabled());
  await view.screenshot("login-trying");
  await change(view, 3, { ...wanted, fault: "The login command failed (exit status 1)." } satisfies Login);
  assert.equal(await page.getByText("The login command failed (exit status 1).").count(), 1);
  assert.ok(await page.getByRole("button", { name: "Log in with the browser" }).isEnabled());
  await view.screenshot("login-failed");
  await page.getByRole("button", { name: "Not now" }).click();
  assert.equal((await view.sent("declineLogin")).loginId, wanted.id);
  await change(view, 4, { ...wanted, answer: "Not logged in" } satisfies Login);
  assert.equal(await page.locator(".login .answer").innerText(), "Not logged in");
  assert.equal(await page.locator(".login button").count(), 0);
  await view.close();
});

test("a secret is not shown while it is typed, and is not stored", async () => {
  const view = await View.open({ height: 600 });
  const text = { kind: "text", multiline: false } as const;
  const question: Item = { type: "question", id: "q", message: "Log in", fields: [
    { name: "user", label: "User", required: true, input: text },
    { name: "key", label: "Key", required: true, input: { ...text, secret: true } },
  ] };
  await view.post(chat([question], { status: "running" }));
  const { page } = view;
  await page.getByLabel("User").fill("ada");
  await page.getByLabel("Key", { exact: true }).fill("s3cr3t");
  assert.equal(await page.getByLabel("Key", { exact: true }).getAttribute("type"), "password");
  await view.screenshot("secret");
  await page.waitForFunction(() => sessionStorage.getItem("state")?.includes("ada"));
  assert.doesNotMatch(await page.evaluate(() => sessionStorage.getItem("state") ?? ""), /s3cr3t/);
  await view.reload();
  await view.post(chat([question], { status: "running" }));
  assert.deepEqual([await page.getByLabel("User").inputValue(), await page.getByLabel("Key", { exact: true }).inputValue()], ["ada", ""]);
  await page.getByLabel("Key", { exact: true }).fill("s3cr3t");
  await page.getByRole("button", { name: "Answer" }).click();
  assert.deepEqual((await view.sent("answer")).values, { user: "ada", key: "s3cr3t" });
  await view.close();
});
