/**
 * Browsers with the page open: one as wide as a phone, one as wide as a window.
 */
import type { BrowserContext, Locator, Page } from "playwright-core";
import { connected } from "../browser.js";
import { patience } from "../patience.js";
import { picture } from "../picture.js";
import type { Served } from "./served.js";

export interface Look {
  width?: number;
  height?: number;
  colours?: "light" | "dark";
  /** Opens a tab in the same browser. */
  beside?: Phone;
  /** The URL of the server, if it is not its own. */
  by?: string;
}

export class Phone {
  /** Errors in the page and violations of its policy. */
  readonly errors: string[] = [];
  /** Requests to other servers. */
  readonly foreign: string[] = [];

  private constructor(
    readonly page: Page,
    readonly served: Served,
  ) {}

  static async open(served: Served, path = "/", { width = 360, height = 740, colours = "dark", beside, by = served.url }: Look = {}): Promise<Phone> {
    const context: BrowserContext = beside?.page.context() ?? await (await connected()).newContext({
      viewport: { width, height }, colorScheme: colours, hasTouch: width < 600, isMobile: width < 600, permissions: ["notifications"],
    });
    const page = await context.newPage();
    page.setDefaultTimeout(patience);
    const phone = new Phone(page, served);
    page.on("pageerror", (error) => phone.errors.push(String(error)));
    page.on("request", (request) => !request.url().startsWith(by) && phone.foreign.push(request.url()));
    await page.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
    });
    page.on("console", (message) => message.text().startsWith("policy:") && phone.errors.push(message.text()));
    await page.goto(by + path);
    return phone;
  }

  /** Waits until the prompt is available. */
  async ready(): Promise<this> {
    await this.prompt.waitFor();
    await this.page.locator('.prompt textarea:not([placeholder="Starting…"])').waitFor();
    return this;
  }

  get prompt(): Locator {
    return this.page.locator(".prompt textarea");
  }

  async say(text: string): Promise<void> {
    await this.prompt.fill(text);
    await this.press("Send");
  }

  /** Taps on touch devices, otherwise clicks. */
  async press(name: string | RegExp): Promise<void> {
    const button = this.page.getByRole("button", { name, exact: typeof name === "string" });
    if ((this.page.viewportSize()?.width ?? 0) < 600) await button.tap();
    else await button.click();
  }

  /** Waits until the chat shows the text. */
  async reads(text: string | RegExp): Promise<void> {
    await this.page.locator(".log, .lines, .log-in").getByText(text).filter({ visible: true }).first().waitFor();
  }

  /** Waits until no turn is running. */
  async idle(): Promise<void> {
    await this.page.getByRole("button", { name: "Send", exact: true }).waitFor();
  }

  picture(name: string): Promise<void> {
    return picture(this.page, "page", name);
  }

  close(): Promise<void> {
    return this.page.context().close();
  }
}
