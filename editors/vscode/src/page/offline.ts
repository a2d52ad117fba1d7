/**
 * The page without its server: keeps the last state of each chat that was shown,
 * and shows it until the server is there. Nothing can be sent meanwhile.
 */
import type { Conversation } from "../chat/conversation.js";
import { titleOf } from "../chat/sessionFacts.js";
import type { FromView } from "../shared/messages.js";
import { chatMemory } from "./memory.js";
import { copy, openLink } from "./editor.js";
import type { SavedChat, SavedChats } from "./saved.js";
import { change } from "./shell.js";
import { snapshot } from "./snapshot.js";
import { onFromView, toView } from "./viewBridge.js";

/** Milliseconds between two saves of a chat that is changing. */
const pause = 2_000;

export class Keeper {
  readonly #saved: SavedChats;
  /** The open chat, if the server can be reached. */
  readonly #conversation: () => Conversation | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #forgotten = false;

  constructor(saved: SavedChats, conversation: () => Conversation | undefined) {
    this.#saved = saved;
    this.#conversation = conversation;
    document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && this.#save());
  }

  /** Called after the open chat changed. */
  changed(): void {
    this.#timer ??= setTimeout(() => this.#save(), pause);
  }

  /** Forgets all chats. With `forGood`, nothing is kept any more. */
  async forget(forGood = false): Promise<void> {
    this.#forgotten ||= forGood;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#saved.clear();
  }

  #save(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const conversation = this.#conversation();
    // A chat that is being opened is not complete.
    if (this.#forgotten || !conversation?.live || conversation.sessionId === undefined || conversation.facts.session.status === "starting") return;
    const { sessionId, cwd, chat } = conversation;
    if (chat.items.length === 0) return;
    const at = Date.now();
    void this.#saved.put({ id: sessionId, agent: chat.session.agent, at, chat: snapshot(chat, at), ...(cwd === undefined ? {} : { cwd }) });
  }
}

export class OfflineView {
  readonly #saved: SavedChats;
  #shown: SavedChat | undefined;
  #over = false;

  constructor(saved: SavedChats) {
    this.#saved = saved;
  }

  /** Shows the chat that was open last, or else the newest. Returns false if no chat is kept. */
  async show(): Promise<boolean> {
    if (this.#shown) return true;
    const all = await this.#saved.list();
    const first = all.find(({ id }) => id === chatMemory.read()?.sessionId) ?? all[0];
    if (!first || this.#over) return false;
    onFromView((message) => void this.#receive(message));
    this.#open(first);
    return true;
  }

  /** Ends the view, because the server is there. Returns whether a chat was shown. */
  leave(): boolean {
    this.#over = true;
    change({ asOf: undefined });
    return this.#shown !== undefined;
  }

  #open(saved: SavedChat): void {
    this.#shown = saved;
    const { id, agent, cwd, at, chat } = saved;
    if (chatMemory.read()?.sessionId !== id) chatMemory.write({ chatId: chat.session.chatId, sessionId: id, agent, ...(cwd === undefined ? {} : { cwd }) });
    change({ asOf: at });
    toView({ type: "chat", revision: 0, chat });
  }

  async #receive(message: FromView): Promise<void> {
    switch (message.type) {
      case "ready":
        if (this.#shown) this.#open(this.#shown);
        return;
      case "listSessions":
        return this.#list();
      case "openSession": {
        const saved = (await this.#saved.list()).find(({ id }) => id === message.id);
        return saved && this.#open(saved);
      }
      case "copy":
        return copy(message.text);
      case "openLink":
        return openLink(message.href);
      case "moreSessions":
      case "findFiles":
      case "failed":
        return;
      default:
        change({ message: "The server is unreachable, so nothing was sent." });
    }
  }

  async #list(): Promise<void> {
    const sessions = (await this.#saved.list()).map(({ id, agent, at, chat }) => ({
      id, agent, title: titleOf(chat.session.title), updatedAt: new Date(at).toISOString(), current: id === this.#shown?.id, canRename: false, canDelete: false,
    }));
    toView({ type: "sessions", sessions, first: true, last: true });
  }
}
