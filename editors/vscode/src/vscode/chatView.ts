/** The chat in a side bar. */
import * as vscode from "vscode";

import type { Host } from "../chat/host.js";
import type { ToView } from "../shared/messages.js";
import { ChatPage } from "./chatPage.js";
import type { ChatPlace } from "./chatPlace.js";

export class ChatView implements vscode.WebviewViewProvider, ChatPlace {
  readonly #page: ChatPage;
  readonly #id: () => string;
  readonly #changed: () => void;
  #view: vscode.WebviewView | undefined;
  #waits = 0;

  /** `id` returns the view's id, which depends on the side. `changed` is called when the view was shown or hidden. */
  constructor(extension: vscode.Uri, host: Host, id: () => string, around: { used: (place: ChatPlace) => void; changed: () => void }) {
    this.#page = new ChatPage(extension, host, () => around.used(this));
    this.#id = id;
    this.#changed = around.changed;
  }

  get host(): Host {
    return this.#page.host;
  }

  get visible(): boolean {
    return this.#view?.visible ?? false;
  }

  /** Shows the number of pending requests on the side bar's icon. */
  showWaiting(count: number): void {
    this.#waits = count;
    if (!this.#view) return;
    const tooltip = count === 0 ? "" : count === 1 ? "An agent is waiting for your answer" : `Agents are waiting for ${count} answers`;
    // A badge of 0 is hidden. Setting it to undefined would leave the old badge
    // visible.
    this.#view.badge = { value: count, tooltip };
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#view = view;
    this.showWaiting(this.#waits);
    view.onDidChangeVisibility(() => {
      if (!view.visible) this.#page.hidden();
      this.#changed();
    });
    view.onDidDispose(() => {
      if (this.#view !== view) return;
      this.#page.hidden();
      this.#view = undefined;
      this.#changed();
    });
    this.#page.show(view.webview);
    this.#changed();
  }

  async focus(...messages: ToView[]): Promise<void> {
    await vscode.commands.executeCommand(`${this.#id()}.focus`);
    this.#page.send([...messages, { type: "focus" }]);
  }
}
