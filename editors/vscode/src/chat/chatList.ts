/** The list of chats in the view, sent a page after the other. */
import type { ToView } from "../shared/messages.js";
import type { SessionEntry } from "../shared/model.js";
import { errorText } from "./connection.js";
import type { Conversation } from "./conversation.js";
import type { Editor } from "./editor.js";
import { unlistable, type Sessions } from "./sessions.js";

/** Each page costs the agent a look at all of its sessions. */
const pagesAtOnce = 10;

export class ChatList {
  readonly #sessions: Sessions;
  readonly #editor: Pick<Editor, "folders" | "servedSessions">;
  readonly #post: (message: ToView) => void;
  /** The list that is shown, as far as it was not asked for. */
  #pages: AsyncGenerator<SessionEntry[]> | undefined;

  constructor(sessions: Sessions, editor: Pick<Editor, "folders" | "servedSessions">, post: (message: ToView) => void) {
    this.#sessions = sessions;
    this.#editor = editor;
    this.#post = post;
  }

  /** What is still on its way is of a chat that was left. */
  forget(): void {
    this.#pages = undefined;
  }

  /** Lists the chats of this one's agent; `current` says whether it is still the one that is open. */
  async show(chat: Conversation, current: () => boolean): Promise<void> {
    await chat.started();
    if (!current()) return;
    const { live } = chat;
    const note = unlistable(live);
    if (!live || note !== undefined) return this.#post({ type: "sessions", sessions: [], first: true, last: true, note: note ?? "" });
    const served = await this.#editor.servedSessions?.().catch(() => undefined);
    if (!current()) return;
    this.#pages = this.#sessions.list(live, { folders: this.#editor.folders(), current: chat.sessionId, agent: chat.facts.session.agent, served });
    await this.more(true);
  }

  /** Some pages more. Only the newest list is shown, and only of the chat's own agent. */
  async more(first = false): Promise<void> {
    const pages = this.#pages;
    try {
      for (let n = 0; n < pagesAtOnce; n++) {
        const page = await pages?.next();
        if (pages !== this.#pages) return;
        if (!page || page.done) return this.#post({ type: "sessions", sessions: [], first, last: true });
        this.#post({ type: "sessions", sessions: page.value, first, last: false });
        first = false;
      }
      this.#post({ type: "sessions", sessions: [], first, last: true, more: true });
    } catch (error) {
      this.#post({ type: "sessions", sessions: [], first, last: true, note: `The chats could not be listed: ${errorText(error)}` });
    }
  }
}
