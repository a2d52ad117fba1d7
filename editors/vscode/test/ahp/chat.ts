/** A VS Code window with its own chat, driven through its user interface. */
import type { BrowserContext, Locator, Page } from "playwright-core";
import { connected } from "../browser.js";
import { eventually, patience } from "../patience.js";
import { picture } from "../picture.js";
import { command } from "../quickInput.js";
import type { Code } from "./code.js";

export class Chat {
  private constructor(readonly page: Page) {}

  static async open(code: Code, folder: string, beside?: Chat): Promise<Chat> {
    const context: BrowserContext = beside?.page.context() ?? await (await connected()).newContext({ viewport: { width: 1280, height: 860 } });
    const page = await context.newPage();
    page.setDefaultTimeout(patience);
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

  /** Chooses the agent, which is offered once the server has responded. */
  async with(agent: string): Promise<void> {
    const chosen = this.panel.getByText(`Chat with ${agent}`);
    const target = this.panel.locator("a.action-label", { hasText: /^Local$/ });
    const list = this.page.locator(".action-widget .monaco-list-row");
    const wanted = list.filter({ hasText: new RegExp(`^${agent}$`) }).first();
    let timeout = 0;
    await eventually(async () => {
      timeout += 5000;
      if (await chosen.isVisible()) return true; // a click may take effect after its attempt timed out
      try { // the list is redrawn or closed when an agent arrives
        if (!(await list.first().isVisible())) await target.click({ timeout });
        await list.first().waitFor({ timeout });
        if (await wanted.isVisible()) {
          await wanted.click({ timeout });
          return true;
        }
      } catch {
        if (!(await list.first().isVisible())) return undefined;
      }
      await this.page.keyboard.press("Escape");
      await list.first().waitFor({ state: "detached" });
      return undefined;
    }, () => `${agent} is not offered`);
    await chosen.waitFor();
  }

  /** Opens a chat from the list; a reloaded window opens none by itself. */
  async pick(title: string): Promise<void> {
    const list = this.page.locator(".agent-sessions-viewer");
    const row = list.locator(".monaco-list-row", { hasText: title }).first();
    const content = this.panel.locator(".monaco-list-row.request, .monaco-list-row.response").first();
    let timeout = 0;
    await eventually(async () => {
      timeout += 5000;
      await command(this.page, "Chat Agent Sessions: Show Agent Sessions Sidebar", () => list.isVisible());
      try { // rows move when another chat arrives, so the click may hit another one
        await row.click({ timeout });
        await content.waitFor({ timeout });
        return true;
      } catch {
        return undefined;
      }
    }, () => `the chat ${title} does not open`);
  }

  async write(text: string): Promise<void> {
    await this.editor.click();
    await this.page.keyboard.insertText(text);
  }

  async say(text: string): Promise<void> {
    await this.write(text);
    await this.page.keyboard.press("Enter");
  }

  /** Says something instead of the text in the input. */
  async sayInstead(text: string): Promise<void> {
    await this.editor.click();
    await this.page.keyboard.press("ControlOrMeta+A");
    await this.page.keyboard.insertText(text);
    await this.page.keyboard.press("Enter");
  }

  /** A message of the user. */
  asked(text: string): Locator {
    return this.panel.locator(".monaco-list-row.request", { hasText: text });
  }

  /** Restores the checkpoint before a message, which becomes the input's text. */
  async restore(text: string): Promise<void> {
    const message = this.asked(text);
    await message.hover();
    await message.getByText("Restore Checkpoint", { exact: true }).click();
    await this.editor.getByText(text).waitFor();
  }

  /** The text field for a question's answer. */
  get field(): Locator {
    return this.panel.locator(".chat-question-input-container input").filter({ visible: true }).first();
  }

  /** Text that the agent said or that a call shows. */
  said(text: string | RegExp): Locator {
    return this.panel.locator(".monaco-list-row.response").getByText(text).filter({ visible: true }).first();
  }

  /**
   * Waits until a response shows the text. The list draws only the rows in view, and doesn't
   * always follow what is added, so this scrolls like a user who looks for it.
   */
  async reads(text: string | RegExp): Promise<void> {
    let deltaY = 10_000;
    let shown = "";
    await eventually(async () => {
      try {
        await this.said(text).waitFor({ timeout: 5000 });
        return true;
      } catch {
        shown = await this.panel.innerText();
        await this.panel.locator(".monaco-list").first().dispatchEvent("wheel", { deltaY });
        deltaY = -deltaY;
        return undefined;
      }
    }, () => `no response shows ${text}:\n${shown}`);
  }

  /** Waits until a question shows the text. */
  async asks(text: string): Promise<void> {
    await this.panel.locator(".chat-question-carousel-container").getByText(text).first().waitFor();
  }

  async press(name: string | RegExp): Promise<void> {
    await this.button(name).click();
  }

  button(name: string | RegExp): Locator {
    return this.panel.getByRole("button", { name, exact: typeof name === "string" }).filter({ visible: true }).first();
  }

  /** Waits until no turn is running. */
  async idle(): Promise<void> {
    await this.button(/^Cancel/).waitFor({ state: "detached" });
  }

  picture(name: string): Promise<void> {
    return picture(this.page, "ahp", name);
  }
}
