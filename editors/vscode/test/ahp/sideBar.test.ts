/** The side bar that has our extension's chat, in a VS Code that lets extensions use both. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { connected, leaveBrowser } from "../browser.js";
import { patience } from "../patience.js";
import { picture } from "../picture.js";
import { command } from "../quickInput.js";
import { Code } from "./code.js";

after(leaveBrowser);

/** Opens the chat in a new VS Code, and expects it in that part of the window. */
async function opensIn(part: string, extension: "new" | "updated"): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "turnwire-side-"));
  const code = await Code.start("http://127.0.0.1:1", "none", extension);
  let page: Page | undefined;
  try {
    page = await (await (await connected()).newContext({ viewport: { width: 1280, height: 860 } })).newPage();
    page.setDefaultTimeout(patience);
    await page.goto(`${code.url}/?folder=${encodeURIComponent(folder)}`);
    await page.locator("#turnwire\\.turnwire\\.turnwire\\.status").waitFor();
    await command(page, "Turnwire: Open Chat");
    await page.locator(part).getByText(/^(Turnwire: )?Chat$/).and(page.locator(":visible")).first().waitFor();
    await page.frameLocator("iframe.webview.ready").frameLocator("#active-frame").locator(".prompt textarea").waitFor();
    await picture(page, "ahp", `chat in ${part}`);
  } catch (error) {
    if (page) await picture(page, "ahp", `failed: chat in ${part}`);
    throw error;
  } finally {
    await page?.close();
    await code.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

test("the chat of a new installation is in the secondary side bar", () => opensIn(".part.auxiliarybar", "new"));

test("the chat of an earlier installation stays in the activity bar", () =>
  opensIn(".part.sidebar", "updated"));
