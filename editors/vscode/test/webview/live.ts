/** The view with a real host, as in the editor. */
import assert from "node:assert/strict";
import type { FromView, ToView } from "../../src/shared/messages.js";
import type { Desk } from "../chat/desk.js";
import { ownFiles, View } from "./view.js";

/** Opens a view of the desk's chat. */
export async function opened(desk: Desk): Promise<View> {
  let attached = false;
  let posting: Promise<unknown> = Promise.resolve();
  const early: ToView[] = [];
  let page: View["page"] | undefined;
  const deliver = (message: ToView) => {
    const copy = JSON.parse(JSON.stringify(message)) as ToView;
    posting = posting.then(() => page?.evaluate((data) => window.postMessage(data, "*"), copy)).catch(() => undefined); // the page is gone
  };
  const host = (message: FromView) => {
    if (message.type === "ready") {
      desk.host.attach((sent) => {
        desk.view.take(sent);
        if (page) deliver(sent);
        else early.push(sent);
      });
      attached = true;
    }
    void desk.host.receive(message);
  };
  const view = await View.open({ height: 800, host });
  assert.ok(attached);
  page = view.page;
  for (const message of early) deliver(message);
  await page.locator(".prompt textarea").waitFor();
  await page.locator("textarea[placeholder^=Message]").waitFor();
  return view;
}

export async function send(view: View, text: string): Promise<void> {
  await view.page.locator(".prompt textarea").fill(text);
  await view.page.keyboard.press("Enter");
}

/** Waits until the open request accepts answers. */
export const answerable = (view: View) => view.page.locator('.permission:not(:has([aria-disabled="true"]))').first().waitFor();

export const idle = (view: View) => view.page.getByRole("button", { name: "Send", exact: true }).waitFor();

/**
 * Ends each test: checks that only the view's own files were requested, and
 * that nothing broke a rule.
 */
export async function leave(view: View): Promise<void> {
  assert.deepEqual([...new Set(view.requests)].sort(), ownFiles);
  assert.deepEqual(await view.violations(), []);
  assert.deepEqual(view.errors, []);
  await view.close();
}
