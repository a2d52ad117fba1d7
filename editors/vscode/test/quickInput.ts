/** VS Code's quick input for commands and files. */
import type { Page } from "playwright-core";
import { eventually } from "./patience.js";

/**
 * How long an entry may be missing or covered before everything is retried, at first;
 * then longer.
 */
const moment = 5000;

/**
 * Chooses an entry of the quick input, which a key opens. A webview that takes the
 * focus a moment later closes it, so it may have to be reopened.
 */
export async function choose(page: Page, key: string, text: string, entry: string, done?: () => Promise<boolean>): Promise<void> {
  await pick(page, entry, () => page.keyboard.press(key), text, done);
}

/**
 * Clicks an entry of a list; opens the list if none is open. If `done` finds its
 * result, no click is needed: VS Code may have done it by itself, and then the entry
 * may be gone.
 */
export async function pick(page: Page, entry: string, open: () => Promise<void>, text?: string, done?: () => Promise<boolean>): Promise<void> {
  const input = page.locator(".quick-input-widget input[type=text]");
  const row = page.locator(".quick-input-list .monaco-list-row", { hasText: entry }).first();
  let timeout = 0;
  await eventually(async () => {
    timeout += moment;
    if (await done?.()) return true;
    try {
      if (!(await input.isVisible())) await open();
      if (text !== undefined) await input.fill(text, { timeout });
      else await input.waitFor({ timeout });
      // A closed list never gets its row.
      await Promise.race([row.waitFor({ timeout }), input.waitFor({ state: "hidden", timeout })]);
      if (!(await row.isVisible())) return undefined;
      await row.click({ timeout });
      return true;
    } catch {
      if (await input.isVisible()) await page.keyboard.press("Escape"); // another list
      return undefined;
    }
  }, () => `the quick input has no ${entry}`);
}

export const command = (page: Page, name: string, done?: () => Promise<boolean>): Promise<void> => choose(page, "F1", `>${name}`, name, done);
