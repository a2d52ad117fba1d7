/**
 * The browser that all tests share. Closing a context closes its pages; ending
 * a process closes its contexts.
 */
import assert from "node:assert/strict";
import { chromium, type Browser } from "playwright-core";

let browser: Promise<Browser> | undefined;

export function connected(): Promise<Browser> {
  const at = process.env["TURNWIRE_BROWSER"];
  assert.ok(at, "run the tests by test/run.mjs, which starts a browser for them");
  browser ??= chromium.connect(at);
  return browser;
}

/** Closes everything that this process opened in it. */
export async function leaveBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}
