/** Headless Chromium, one for each file of tests. */
import { chromium, type Browser } from "playwright-core";

let browser: Promise<Browser> | undefined;

export function launched(): Promise<Browser> {
  browser ??= chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: [
      "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync",
    ],
  });
  return browser;
}

export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}
