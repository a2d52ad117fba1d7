/** The view's list of chats, sent page by page. */
import type { ToView } from "../shared/messages.js";
import type { SessionEntry } from "../shared/model.js";
import { errorText } from "./rpcError.js";
import type { Conversation } from "./conversation.js";
import type { Editor } from "./editor.js";
import type { OpenChats } from "./openChats.js";
import { unlistable, type Sessions } from "./sessions.js";

/** For each page, the agent reads all of its sessions. */
const pagesAtOnce = 10;

export class ChatList {
  readonly #sessions: Sessions;
  readonly #editor: Pick<Editor, "folders" | "servedSessions">;
  readonly #open: Pick<OpenChats, "sessions">;
  readonly #post: (message: ToView) => void;
  /** The remaining pages of the shown list. */
  #pages: AsyncGenerator<SessionEntry[]> | undefined;
  /** Why the agent's chats can't be listed. */
  #note: string | undefined;

  constructor(sessions: Sessions, editor: Pick<Editor, "folders" | "servedSessions">, open: Pick<OpenChats, "sessions">, post: (message: ToView) => void) {
    this.#sessions = sessions;
    this.#editor = editor;
    this.#open = open;
    this.#post = post;
  }

  /** Drops pages still to come: they belong to a chat that was left. */
  forget(): void {
    this.#pages = undefined;
  }

  /** Lists the sessions of the chat's agent. `current` reports whether the chat is still open. */
  async show(chat: Conversation, current: () => boolean): Promise<void> {
    await chat.started();
    if (!current()) return;
    const served = await this.#editor.servedSessions?.().catch(() => undefined);
    if (!current()) return;
    if (served) this.#sessions.served(served);
    const { live } = chat;
    const note = unlistable(live);
    const listable = note === undefined ? live : undefined;
    const wanted = { folders: this.#editor.folders(), current: chat.sessionId, agent: chat.facts.session.agent, served: [...this.#open.sessions(), ...(served ?? [])] };
    this.#note = note;
    this.#pages = this.#sessions.list(listable, wanted);
    await this.more(true);
  }

  /**
   * Sends some more pages. Stops if another list replaces this one or the chat
   * is left.
   */
  async more(first = false): Promise<void> {
    const pages = this.#pages;
    try {
      for (let n = 0; n < pagesAtOnce; n++) {
        const page = await pages?.next();
        if (pages !== this.#pages) return;
        if (!page || page.done) return this.#post({ type: "sessions", sessions: [], first, last: true, ...(this.#note === undefined ? {} : { note: this.#note }) });
        this.#post({ type: "sessions", sessions: page.value, first, last: false });
        first = false;
      }
      this.#post({ type: "sessions", sessions: [], first, last: true, more: true });
    } catch (error) {
      this.#post({ type: "sessions", sessions: [], first, last: true, note: `The chats could not be listed: ${errorText(error)}` });
    }
  }
}
