/**
 * A VS Code window, driven like a user would: by its keyboard and its user
 * interface.
 */

import type { FrameLocator, Locator, Page } from "playwright-core";

import { connected } from "../browser.js";
import { eventually, patience } from "../patience.js";
import { picture } from "../picture.js";
import { choose, command, pick } from "../quickInput.js";

import type { Server } from "./server.js";

export class Window {
  readonly page: Page;

  private constructor(page: Page) {
    this.page = page;
  }

  /** Opens a folder, and waits until the extension is running. */
  static async open(server: Server, folder: string): Promise<Window> {
    const context = await (await connected()).newContext({ viewport: { width: 1280, height: 860 } });
    const page = await context.newPage();
    page.setDefaultTimeout(patience);
    const window = new Window(page);
    await page.goto(`${server.url}/?folder=${encodeURIComponent(folder)}`);
    await window.ready();
    return window;
  }

  async ready(): Promise<void> {
    await this.page.locator(".monaco-workbench").waitFor();
    await this.status.waitFor();
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.ready();
  }

  /**
   * Waits until VS Code has stored that a tab of this type is open. In a browser, it stores the
   * open tabs every few seconds, and a reload doesn't wait for that.
   */
  async storedTab(type: string): Promise<void> {
    await eventually(async () => (await this.page.evaluate(openEditors)).some((stored) => stored.includes(type)) || undefined, () => `VS Code has not stored a tab of type ${type}`);
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }

  /** The extension's text in the status bar. */
  get status(): Locator {
    return this.page.locator("#turnwire\\.turnwire\\.turnwire\\.status");
  }

  /** The chat's page: a frame in a frame. */
  get chat(): FrameLocator {
    return this.page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
  }

  async command(name: string): Promise<void> {
    await command(this.page, name);
  }

  async openChat(): Promise<void> {
    await this.command("Turnwire: Open Chat");
    await this.focused();
  }

  /** Waits until the chat has the focus: until then it could steal it from the next step. */
  async focused(): Promise<void> {
    await this.chat.locator("textarea:focus, .permission:focus").waitFor();
  }

  get prompt(): Locator {
    return this.chat.locator("textarea").first();
  }

  /** Opens an empty chat and waits for its agent. */
  async newChat(): Promise<void> {
    await this.command("Turnwire: New Chat");
    await this.chat.getByRole("heading", { name: /^Chat with/ }).waitFor();
    await this.prompt.click();
  }

  async say(text: string): Promise<void> {
    await this.prompt.fill(text);
    // The button is enabled once the agent is ready.
    await this.chat.getByRole("button", { name: "Send" }).click();
  }

  /**
   * Waits until the chat shows the text, which is also announced to screen
   * readers.
   */
  async said(text: string | RegExp): Promise<void> {
    await this.chat.getByText(text).filter({ visible: true }).first().waitFor();
  }

  async hideChat(): Promise<void> {
    await this.command("View: Show Explorer");
    await this.page.locator("iframe.webview.ready").waitFor({ state: "hidden" });
  }

  /** The open editor's text. */
  get editor(): Locator {
    return this.page.locator(".editor-instance .view-lines").first();
  }

  async openFile(name: string): Promise<void> {
    await choose(this.page, "Control+p", name, name);
    await this.editor.waitFor();
  }

  /** Waits until the extension's log contains a text. */
  async logged(text: string): Promise<void> {
    await this.command("Turnwire: Show Log");
    await this.page.locator(".part.panel .view-lines").getByText(text).first().waitFor();
  }

  /** Chooses the agent for new chats and for this one. */
  async chooseAgent(name: string): Promise<void> {
    await pick(this.page, name, () => this.command("Turnwire: Choose Agent…"));
  }

  get notification(): Locator {
    return this.page.locator(".notification-toast", { hasText: "Turnwire" });
  }

  picture(name: string): Promise<void> {
    return picture(this.page, "vscode", name);
  }
}

/** Returns the open editors that VS Code has stored, one text for each workspace. Runs in the page. */
async function openEditors(): Promise<string[]> {
  const finished = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const stored: string[] = [];
  for (const { name } of await indexedDB.databases()) {
    if (!name?.startsWith("vscode-web-state-db-")) continue;
    const database = await finished(indexedDB.open(name));
    const items = database.transaction("ItemTable").objectStore("ItemTable");
    stored.push(String(await finished(items.get("memento/workbench.parts.editor"))));
    database.close();
  }
  return stored;
}
