/**
 * A window of VS Code, driven as a person does: by its keyboard and what it shows.
 */

import type { FrameLocator, Locator, Page } from "playwright-core";

import { connected } from "../browser.js";
import { patience } from "../patience.js";
import { picture } from "../picture.js";
import { choose, command, pick } from "../quickInput.js";

import type { Server } from "./server.js";

export class Window {
  readonly page: Page;

  private constructor(page: Page) {
    this.page = page;
  }

  /** Opens a folder, and waits until the extension runs. */
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

  async close(): Promise<void> {
    await this.page.context().close();
  }

  /** What the extension says in the status bar. */
  get status(): Locator {
    return this.page.locator("#turnwire\\.turnwire\\.turnwire\\.status");
  }

  /** The page of the chat: a frame in a frame. */
  get chat(): FrameLocator {
    return this.page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
  }

  async command(name: string): Promise<void> {
    await command(this.page, name);
  }

  async openChat(): Promise<void> {
    await this.command("Turnwire: Open the Chat");
    await this.focused();
  }

  /** Waits until the chat has the keyboard: before that it would take it from what comes next. */
  async focused(): Promise<void> {
    await this.chat.locator("textarea:focus, .permission:focus").waitFor();
  }

  get prompt(): Locator {
    return this.chat.locator("textarea").first();
  }

  /** An empty chat whose agent is ready. */
  async newChat(): Promise<void> {
    await this.command("Turnwire: New Chat");
    await this.chat.getByRole("heading", { name: /^Chat with/ }).waitFor();
    await this.prompt.click();
  }

  async say(text: string): Promise<void> {
    await this.prompt.fill(text);
    // It can be pressed when the agent is ready.
    await this.chat.getByRole("button", { name: "Send" }).click();
  }

  /** Waits until the chat shows that text; it is also told to screen readers. */
  async said(text: string | RegExp): Promise<void> {
    await this.chat.getByText(text).filter({ visible: true }).first().waitFor();
  }

  async hideChat(): Promise<void> {
    await this.command("View: Show Explorer");
    await this.page.locator("iframe.webview.ready").waitFor({ state: "hidden" });
  }

  /** The text of the editor that is open. */
  get editor(): Locator {
    return this.page.locator(".editor-instance .view-lines").first();
  }

  async openFile(name: string): Promise<void> {
    await choose(this.page, "Control+p", name, name);
    await this.editor.waitFor();
  }

  /** Waits until the extension's log has a text. */
  async logged(text: string): Promise<void> {
    await this.command("Turnwire: Show Log");
    await this.page.locator(".part.panel .view-lines").getByText(text).first().waitFor();
  }

  /** Chooses the agent of new chats, and of this one. */
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
