/** A window of VS Code and its own chat, driven by what it shows. */
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext, Locator, Page } from "playwright-core";
import { launched } from "../browser.js";
import type { Code } from "./code.js";

const screenshots = join(import.meta.dirname, "../../screenshots/ahp");

export class Chat {
  private constructor(readonly page: Page) {}

  static async open(code: Code, folder: string, beside?: Chat): Promise<Chat> {
    const context: BrowserContext = beside?.page.context() ?? await (await launched()).newContext({ viewport: { width: 1280, height: 860 } });
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    const chat = new Chat(page);
    await page.goto(`${code.url}/?folder=${encodeURIComponent(folder)}`);
    await chat.ready();
    return chat;
  }

  async ready(): Promise<void> {
    await this.page.locator(".monaco-workbench").waitFor();
    await this.panel.waitFor();
    await this.editor.waitFor();
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.ready();
  }

  close(): Promise<void> {
    return this.page.close();
  }

  get panel(): Locator {
    return this.page.locator(".interactive-session").first();
  }

  private get editor(): Locator {
    return this.panel.locator(".chat-input-container .monaco-editor").first();
  }

  /** Has the chat be one with that agent, which is offered once the server has answered. */
  async with(agent: string): Promise<void> {
    const target = this.panel.locator("a.action-label", { hasText: /^Local$/ });
    const list = this.page.locator(".action-widget .monaco-list-row");
    const wanted = list.filter({ hasText: new RegExp(`^${agent}$`) }).first();
    const end = Date.now() + 30_000;
    for (;;) {
      await target.click();
      await list.first().waitFor();
      if (await wanted.isVisible()) break;
      assert.ok(Date.now() < end, `${agent} is not offered: ${await list.allInnerTexts()}`);
      await this.page.keyboard.press("Escape");
      await list.first().waitFor({ state: "detached" });
    }
    await wanted.click();
    await this.panel.getByText(`Chat with ${agent}`).waitFor();
  }

  /** Opens a chat from the list of all; a window that is loaded again opens none by itself. */
  async pick(title: string): Promise<void> {
    const list = this.page.locator(".agent-sessions-viewer");
    if (!(await list.isVisible())) {
      const name = "Chat Agent Sessions: Show Agent Sessions Sidebar";
      await this.page.keyboard.press("F1");
      const input = this.page.locator(".quick-input-widget input[type=text]");
      await input.waitFor();
      await input.fill(`>${name}`);
      await this.page.locator(".quick-input-list .monaco-list-row", { hasText: name }).first().click();
    }
    await list.locator(".monaco-list-row", { hasText: title }).first().click();
  }

  async write(text: string): Promise<void> {
    await this.editor.click();
    await this.page.keyboard.insertText(text);
  }

  async say(text: string): Promise<void> {
    await this.write(text);
    await this.page.keyboard.press("Enter");
  }

  /** Where a question is answered in words. */
  get field(): Locator {
    return this.panel.locator(".chat-question-input-container input").filter({ visible: true }).first();
  }

  /** What the agent has said, or a call of it shows. */
  said(text: string | RegExp): Locator {
    return this.panel.locator(".monaco-list-row.response").getByText(text).filter({ visible: true }).first();
  }

  async reads(text: string | RegExp): Promise<void> {
    await this.said(text).waitFor();
  }

  /** Waits until a question shows that text. */
  async asks(text: string): Promise<void> {
    await this.panel.locator(".chat-question-carousel-container").getByText(text).first().waitFor();
  }

  async press(name: string | RegExp): Promise<void> {
    await this.button(name).click();
  }

  button(name: string | RegExp): Locator {
    return this.panel.getByRole("button", { name, exact: typeof name === "string" }).filter({ visible: true }).first();
  }

  /** Waits until no turn runs. */
  async idle(): Promise<void> {
    await this.button(/^Cancel/).waitFor({ state: "detached" });
  }

  async picture(name: string): Promise<void> {
    mkdirSync(screenshots, { recursive: true });
    await this.page.screenshot({ animations: "disabled", path: join(screenshots, `${name.replace(/[^a-z-]+/gi, " ").trim()}.png`) });
  }
}
