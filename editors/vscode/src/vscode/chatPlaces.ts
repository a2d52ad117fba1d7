/** All places that show chats: the side bar's view and the editor tabs. */
import * as vscode from "vscode";

import { Host, type HostOptions } from "../chat/host.js";
import type { OpenChat } from "../chat/openChat.js";
import type { OpenChats } from "../chat/openChats.js";
import { ChatPanel, panelType } from "./chatPanel.js";
import type { ChatPlace } from "./chatPlace.js";
import { ChatView } from "./chatView.js";
import type { PanelMemory, TabMemory } from "./panelMemory.js";

export interface PlacesOptions {
  extension: vscode.Uri;
  chats: OpenChats;
  /** The options for each place's host. */
  host: Omit<HostOptions, "memory" | "chats" | "first" | "deleted">;
  /** The side bar's chat. */
  memory: HostOptions["memory"];
  panels: PanelMemory;
  /** The id of the side bar's view. */
  viewId(): string;
  /** Called when a chat was shown or hidden, or another place is in use. */
  changed(): void;
}

export class ChatPlaces implements vscode.WebviewPanelSerializer {
  readonly view: ChatView;
  readonly #options: PlacesOptions;
  readonly #panels = new Set<ChatPanel>();
  #current: ChatPlace;

  constructor(options: PlacesOptions) {
    this.#options = options;
    const host = new Host({ ...options.host, chats: options.chats, memory: options.memory });
    this.view = new ChatView(options.extension, host, options.viewId, this.#around);
    this.#current = this.view;
  }

  /** The place that the user used last, or the side bar if only that is visible. */
  get current(): ChatPlace {
    return !this.#current.visible && this.view.visible ? this.view : this.#current;
  }

  /** The ids of the visible chats. */
  get visible(): ReadonlySet<string> {
    return new Set([this.view, ...this.#panels].filter(({ visible }) => visible).map(({ host }) => host.conversation.id));
  }

  /** Shows a chat in the place that has it, or else in the side bar. */
  async show(chat: OpenChat): Promise<void> {
    const place = [this.#current, this.view, ...this.#panels].find(({ host }) => host.chat === chat) ?? this.view;
    place.host.show(chat);
    await place.focus();
  }

  /** Opens a chat in an editor tab. */
  async open(chat: OpenChat): Promise<void> {
    const panel = vscode.window.createWebviewPanel(panelType, chat.conversation.facts.session.title, vscode.ViewColumn.Active, { retainContextWhenHidden: false });
    const place = this.#add(panel, this.#options.panels.add(), chat);
    place.host.start();
    await place.focus();
  }

  /** Restores a tab after a reload. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const open = typeof state === "object" && state !== null && "open" in state ? state.open : undefined;
    this.#add(panel, this.#options.panels.restore(typeof open === "string" ? open : undefined));
  }

  /** Updates the tabs' titles. */
  showTitles(): void {
    for (const panel of this.#panels) panel.showTitle();
  }

  #around = {
    used: (place: ChatPlace): void => {
      if (this.#current === place) return;
      this.#current = place;
      this.#options.changed();
    },
    changed: (): void => this.#options.changed(),
  };

  #add(panel: vscode.WebviewPanel, memory: TabMemory, first?: OpenChat): ChatPanel {
    const { chats, extension } = this.#options;
    const host = new Host({ ...this.#options.host, chats, memory, ...(first ? { first } : {}), deleted: () => panel.dispose() });
    const place = new ChatPanel(panel, extension, host, this.#around);
    this.#panels.add(place);
    panel.onDidDispose(() => {
      this.#panels.delete(place);
      if (this.#current === place) this.#current = this.view;
      if (chats.closing) return;
      memory.write(undefined);
      host.leave();
      this.#options.changed();
    });
    this.#around.used(place);
    return place;
  }
}
