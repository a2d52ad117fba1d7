/**
 * The chat in the side bar: a page without its own state. When hidden, it is
 * destroyed; when shown again, it starts with the whole chat.
 */
import { randomBytes } from "node:crypto";

import * as vscode from "vscode";

import type { Host } from "../chat/host.js";
import { readFromView } from "../shared/fromView.js";
import type { ToView } from "../shared/messages.js";
import { page } from "../shared/page.js";

export const viewId = "turnwire.chat";

export class ChatView implements vscode.WebviewViewProvider {
  readonly #extension: vscode.Uri;
  readonly #host: Host;
  readonly #visible: (visible: boolean) => void;
  #view: vscode.WebviewView | undefined;
  #detach: () => void = () => {};
  #waits = 0;
  /** Messages for the next view. */
  #waiting: ToView[] = [];

  constructor(extension: vscode.Uri, host: Host, visible: (visible: boolean) => void) {
    this.#extension = extension;
    this.#host = host;
    this.#visible = visible;
  }

  get visible(): boolean {
    return this.#view?.visible ?? false;
  }

  /** Shows the number of pending requests on the activity bar icon. */
  showWaiting(count: number): void {
    this.#waits = count;
    if (!this.#view) return;
    const tooltip = count === 0 ? "" : count === 1 ? "The agent is waiting for your answer" : `The agent is waiting for ${count} answers`;
    // A badge of 0 is hidden. Setting it to undefined would leave the old badge
    // visible.
    this.#view.badge = { value: count, tooltip };
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const { webview } = view;
    const files = vscode.Uri.joinPath(this.#extension, "dist");
    const file = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(files, name)).toString();
    this.#view = view;
    this.showWaiting(this.#waits);
    webview.options = { enableScripts: true, enableForms: true, enableCommandUris: false, localResourceRoots: [files] };
    webview.onDidReceiveMessage((message: unknown) => this.#receive(message, webview));
    view.onDidChangeVisibility(() => {
      if (!view.visible) this.#detach();
      this.#visible(view.visible);
    });
    view.onDidDispose(() => {
      this.#detach();
      if (this.#view === view) this.#view = undefined;
      this.#visible(false);
    });
    webview.html = page({
      source: webview.cspSource,
      nonce: randomBytes(16).toString("base64url"),
      script: file("view.js"),
      style: file("view.css"),
    });
    this.#visible(view.visible);
  }

  /** Shows the chat, focuses its prompt and sends it messages. */
  async focus(...messages: ToView[]): Promise<void> {
    this.#waiting.push(...messages, { type: "focus" });
    await vscode.commands.executeCommand(`${viewId}.focus`);
    this.#tell();
  }

  #tell(): void {
    this.#waiting = this.#waiting.filter((message) => !this.#host.post(message));
  }

  #receive(message: unknown, webview: vscode.Webview): void {
    const read = readFromView(message);
    if (!read) return;
    // A new page has started, so the previous one is gone.
    if (read.type === "ready") this.#detach = this.#host.attach((m) => void webview.postMessage(m));
    void this.#host.receive(read);
    if (read.type === "ready") this.#tell();
  }
}
