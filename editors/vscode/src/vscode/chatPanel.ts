/** The chat in an editor tab, which can be moved to a separate window. */
import * as vscode from "vscode";

import type { Host } from "../chat/host.js";
import type { ToView } from "../shared/messages.js";
import { ChatPage } from "./chatPage.js";
import type { ChatPlace } from "./chatPlace.js";
import { forNotification } from "./plainText.js";

export const panelType = "turnwire.panel";

export class ChatPanel implements ChatPlace {
  readonly panel: vscode.WebviewPanel;
  readonly #page: ChatPage;

  constructor(panel: vscode.WebviewPanel, extension: vscode.Uri, host: Host, around: { used: (place: ChatPlace) => void; changed: () => void }) {
    this.panel = panel;
    this.#page = new ChatPage(extension, host, () => around.used(this));
    panel.iconPath = vscode.Uri.joinPath(extension, "images", "turnwire.svg");
    panel.onDidChangeViewState(() => {
      if (!panel.visible) this.#page.hidden();
      if (panel.active) around.used(this);
      around.changed();
    });
    panel.onDidDispose(() => this.#page.hidden());
    this.showTitle();
    this.#page.show(panel.webview);
  }

  get host(): Host {
    return this.#page.host;
  }

  get visible(): boolean {
    return this.panel.visible;
  }

  showTitle(): void {
    const { conversation, session } = this.host;
    const title = forNotification(session.title) || "Chat";
    this.panel.title = conversation.requests.waiting > 0 ? `● ${title}` : title;
  }

  async focus(...messages: ToView[]): Promise<void> {
    this.panel.reveal();
    this.#page.send([...messages, { type: "focus" }]);
  }
}
