/**
 * The chat in the side bar: a page that the extension brings along, which keeps
 * nothing. When it is hidden it is thrown away, and begins anew with the whole chat.
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
  /** What a view is told once there is one. */
  #waiting: ToView[] = [];

  constructor(extension: vscode.Uri, host: Host, visible: (visible: boolean) => void) {
    this.#extension = extension;
    this.#host = host;
    this.#visible = visible;
  }

  get visible(): boolean {
    return this.#view?.visible ?? false;
  }

  /** How much waits for the person, on the icon in the activity bar. */
  showWaiting(count: number): void {
    this.#waits = count;
    if (!this.#view) return;
    const tooltip = count === 0 ? "" : count === 1 ? "The agent waits for your answer" : `The agent waits for ${count} answers`;
    // A badge of 0 is not shown. VS Code goes on to show one that becomes undefined.
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

  /** Shows the chat with the keyboard in its prompt, and tells it something. */
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
    // A page that begins: the one before it is gone, whatever was heard of it.
    if (read.type === "ready") this.#detach = this.#host.attach((m) => void webview.postMessage(m));
    void this.#host.receive(read);
    if (read.type === "ready") this.#tell();
  }
}
