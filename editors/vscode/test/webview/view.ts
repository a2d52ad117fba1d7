/**
 * The view in a browser, with a fake of the editor's API.
 *
 * The page is the extension's own, with its policy; the browser is headless
 * Chromium without a network. Every network request of the view and every policy
 * violation is recorded, so that tests can check that none occurred.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page as BrowserPage } from "playwright-core";
import { connected } from "../browser.js";
import { patience } from "../patience.js";
import { picture } from "../picture.js";
import { page as pageHtml, policy } from "../../src/shared/page.js";
import type { FromView, ToView } from "../../src/shared/messages.js";
import { themes, type ThemeName } from "./themes.js";

const origin = "https://view.invalid";
const nonce = "bm9uY2VvZnRoZXRlc3Rz";

/** Milliseconds; slightly longer than a frame of virtual time. */
const frame = 17;

let files: Promise<Map<string, string>> | undefined;

/** Returns the built view, by the names that the page requests. */
async function built(): Promise<Map<string, string>> {
  const folder = join(import.meta.dirname, "../../view");
  return new Map(await Promise.all(["view.js", "view.css", "maths.js", "diagrams.js"].map(async (name) => [name, await readFile(join(folder, name), "utf8")] as const)));
}

export interface ViewOptions {
  theme?: ThemeName;
  width?: number;
  height?: number;
  forcedColors?: boolean;
  reducedMotion?: boolean;
  /** Reading the page's clock advances it, so that a time budget becomes a number of steps. */
  tickingClock?: boolean;
  /**
   * The page's time stands still, except for `pass` and the frames that `post`
   * waits for.
   */
  virtualTime?: boolean;
  /** Receives the view's messages if a host is connected. */
  host?: (message: FromView) => void;
}

export class View {
  /** Everything that the page requested, whether or not its policy allowed it. */
  readonly requests: string[] = [];
  /** Allowed requests that aren't the view's own files. */
  readonly foreign: string[] = [];
  readonly errors: string[] = [];

  private constructor(readonly page: BrowserPage, private readonly virtualTime: boolean) {}

  static async open(options: ViewOptions = {}): Promise<View> {
    const { theme = "dark", width = 420, height = 900 } = options;
    const context = await (await connected()).newContext({
      viewport: { width, height },
      forcedColors: options.forcedColors ? "active" : "none",
      reducedMotion: options.reducedMotion ? "reduce" : "no-preference",
      serviceWorkers: "block",
    });
    const page = await context.newPage();
    page.setDefaultTimeout(patience);
    const view = new View(page, options.virtualTime ?? false);
    const assets = await (files ??= built());
    page.on("request", (request) => view.requests.push(request.url()));
    page.on("pageerror", (error) => view.errors.push(String(error)));
    page.on("console", (message) => message.type() === "error" && view.errors.push(message.text()));
    page.on("dialog", (dialog) => {
      view.errors.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.route("**/*", (route) => {
      const name = new URL(route.request().url()).pathname;
      if (name === "/") return route.fulfill({ contentType: "text/html", body: html() });
      const body = assets.get(name.slice(1));
      if (body !== undefined) return route.fulfill({ contentType: name.endsWith(".css") ? "text/css" : "text/javascript", body });
      view.foreign.push(route.request().url());
      return route.abort();
    });
    const { host } = options;
    if (host) await page.exposeFunction("toHost", host);
    await page.addInitScript(fakeEditor, themes[theme]);
    if (options.tickingClock) await page.addInitScript(tickingClock);
    if (options.virtualTime) {
      // The installed clock runs until it is paused, which is only possible in
      // its future.
      await page.clock.install({ time: 0 });
      await page.clock.pauseAt(3_600_000);
    }
    await page.goto(`${origin}/`);
    await view.sent("ready");
    return view;
  }

  /** Sends messages as the host would. */
  async post(...messages: ToView[]): Promise<void> {
    // Not with postMessage: under load its event may come after the frames.
    await this.page.evaluate((all) => all.forEach((data) => window.dispatchEvent(new MessageEvent("message", { data }))), messages);
    await this.frames();
  }

  /**
   * Waits for three frames: then what was posted is on the screen and in the
   * prompt.
   */
  async frames(): Promise<void> {
    if (this.virtualTime) return this.pass(3 * frame);
    await this.page.evaluate(async () => {
      for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
      await new Promise((done) => setTimeout(done));
    });
  }

  /** Advances the page's time by that many milliseconds. */
  pass(milliseconds: number): Promise<void> {
    return this.page.clock.runFor(milliseconds);
  }

  /** Returns all messages from the view so far. */
  all(): Promise<FromView[]> {
    return this.page.evaluate(() => window.sentToHost);
  }

  /** Returns the newest message of a type, as soon as there is one. */
  async sent<T extends FromView["type"]>(type: T): Promise<Extract<FromView, { type: T }>> {
    const found = await this.page.waitForFunction((wanted) => window.sentToHost.findLast((message) => message.type === wanted), type);
    return (await found.jsonValue()) as Extract<FromView, { type: T }>;
  }

  async forget(): Promise<void> {
    await this.page.evaluate(() => void (window.sentToHost.length = 0));
  }

  /**
   * Does what a reload of the view does in the editor: a new page with the old
   * one's state.
   */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.sent("ready");
  }

  violations(): Promise<string[]> {
    return this.page.evaluate(() => window.violations);
  }

  screenshot(name: string): Promise<void> {
    return picture(this.page, ".", name);
  }

  close(): Promise<void> {
    return this.page.context().close();
  }
}

function html(): string {
  return pageHtml({ source: origin, nonce, script: `${origin}/view.js`, style: `${origin}/view.css` });
}

export const ownFiles = [`${origin}/`, `${origin}/view.css`, `${origin}/view.js`];
export const pagePolicy = policy({ source: origin, nonce });

declare global {
  interface Window {
    sentToHost: FromView[];
    violations: string[];
    toHost?: (message: FromView) => void;
  }
}

function tickingClock(): void {
  let now = 0;
  performance.now = () => ++now;
}

/** Runs in the page before the view. Its state outlives the page, like the editor's. */
function fakeEditor(theme: { class: string; variables: Record<string, string> }): void {
  window.sentToHost = [];
  window.violations = [];
  document.addEventListener("securitypolicyviolation", (event) => {
    window.violations.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`);
  });
  const api = {
    postMessage: (message: FromView) => {
      window.sentToHost.push(structuredClone(message));
      window.toHost?.(message);
    },
    getState: (): unknown => JSON.parse(sessionStorage.getItem("state") ?? "null") ?? undefined,
    setState: (state: unknown) => sessionStorage.setItem("state", JSON.stringify(state)),
  };
  Object.assign(window, { acquireVsCodeApi: () => api });
  document.addEventListener("DOMContentLoaded", () => {
    document.body.className = theme.class;
    for (const [name, value] of Object.entries(theme.variables)) document.documentElement.style.setProperty(name, value);
  });
}
