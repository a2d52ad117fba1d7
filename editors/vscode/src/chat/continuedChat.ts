/** Tells the user about a chat that continues, with the agent's earlier session or a new one. */
import type { EarlierChat } from "./earlierChat.js";
import { noticesFor, type Continuation } from "./continuation.js";
import type { Transcript } from "./transcript.js";
import type { Prompt } from "./turn.js";
import type { Updates } from "./updates.js";

export class ContinuedChat {
  /**
   * The prompt that was sent when the server went away, and may not have
   * reached it.
   */
  unsent: Prompt | undefined;
  readonly #transcript: Transcript;
  readonly #updates: Updates;
  #interrupted: boolean;
  /**
   * The agent's session is newer than the chat, and the user doesn't know yet.
   */
  #forgotten = false;

  constructor(before: Pick<EarlierChat, "unsent" | "interrupted"> | undefined, transcript: Transcript, updates: Updates) {
    this.unsent = before?.unsent;
    this.#interrupted = before?.interrupted ?? false;
    this.#transcript = transcript;
    this.#updates = updates;
  }

  /**
   * Reports what happened to the session that should continue, unless it is as
   * expected. `cut`: an earlier turn can't be running any more.
   */
  tellContinuation(continuation: Continuation, spoken: boolean, cut: boolean): void {
    this.#forgotten = spoken && continuation.how === "forgotten";
    const interrupted = this.#interrupted && cut;
    const last = this.#transcript.items.findLast(({ type }) => type !== "changes");
    // The turn was cancelled because the window was closed. The journal doesn't
    // know that.
    const closed = interrupted && last?.type === "notice" && last.quiet === true;
    if (closed) this.#transcript.remove(last.id);
    const reported = last?.type === "notice" && !closed;
    for (const notice of noticesFor(continuation, { spoken, interrupted, reported })) this.#updates.notice(notice.severity, notice.title, notice.description);
    this.#interrupted = false;
    const unsent = this.unsent?.text;
    this.unsent = undefined;
    if (unsent === undefined || this.#transcript.items.some((item) => item.type === "user" && item.text === unsent)) return;
    this.#updates.notice("warning", "The server did not receive your last message.", unsent, { retry: true });
  }

  tellForgotten(): void {
    if (!this.#forgotten) return;
    this.#forgotten = false;
    this.#updates.notice("info", "The agent does not remember the messages above.", "It started a new session.");
  }
}
