/**
 * The chat's page in a webview: a page without its own state. When hidden, it is
 * destroyed; when shown again, it starts with the whole chat.
 */
import { randomBytes } from "node:crypto";

import * as vscode from "vscode";

import type { Host } from "../chat/host.js";
import { readFromView } from "../shared/fromView.js";
import type { ToView } from "../shared/messages.js";
import { page } from "../shared/page.js";

/** Milliseconds until a page that hasn't started is drawn again. The time doubles each time. */
const firstPatience = 4_000;
const longestPatience = 32_000;

export class ChatPage {
  readonly host: Host;
  readonly #extension: vscode.Uri;
  /** Called when the user does something in the page. */
  readonly #used: () => void;
  #detach: () => void = () => {};
  #redraw: ReturnType<typeof setTimeout> | undefined;
  /** Messages for the next page. */
  #waiting: ToView[] = [];

  constructor(extension: vscode.Uri, host: Host, used: () => void) {
    this.#extension = extension;
    this.host = host;
    this.#used = used;
  }

  /** Draws the page in a webview. */
  show(webview: vscode.Webview): void {
    webview.onDidReceiveMessage((message: unknown) => this.#receive(message, webview));
    this.#draw(webview, firstPatience);
  }

  /**
   * Draws the page, and again if it doesn't start: in a browser, the first webviews after a
   * reload may not get their files, because VS Code's service worker doesn't serve them yet.
   */
  #draw(webview: vscode.Webview, patience: number): void {
    const files = vscode.Uri.joinPath(this.#extension, "dist");
    const file = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(files, name)).toString();
    webview.options = { enableScripts: true, enableForms: true, enableCommandUris: false, localResourceRoots: [files] };
    webview.html = page({
      source: webview.cspSource,
      nonce: randomBytes(16).toString("base64url"),
      script: file("view.js"),
      style: file("view.css"),
    });
    clearTimeout(this.#redraw);
    if (patience <= longestPatience) this.#redraw = setTimeout(() => this.#draw(webview, 2 * patience), patience);
  }

  /** Called when the page was hidden, and therefore destroyed. */
  hidden(): void {
    clearTimeout(this.#redraw);
    this.#detach();
  }

  /** Sends messages as soon as the page is ready. */
  send(messages: readonly ToView[]): void {
    this.#waiting.push(...messages);
    this.#waiting = this.#waiting.filter((message) => !this.host.post(message));
  }

  #receive(message: unknown, webview: vscode.Webview): void {
    const read = readFromView(message);
    if (!read) return;
    clearTimeout(this.#redraw);
    // A new page has started, so the previous one is gone.
    if (read.type === "ready") this.#detach = this.host.attach((m) => void webview.postMessage(m));
    else this.#used();
    void this.host.receive(read);
    if (read.type === "ready") this.send([]);
  }
}
