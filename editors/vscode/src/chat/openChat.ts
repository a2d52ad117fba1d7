/** One open chat, and the views that show it. */
import type { Change } from "../shared/messages.js";
import type { ChatState } from "../shared/model.js";
import type { Conversation } from "./conversation.js";

/** A view of a chat. */
export interface Viewer {
  changed(change: Change): void;
  /** Another conversation continues the chat, because its agent was restarted. */
  replaced(): void;
  /** The chat was deleted. */
  deleted(): void;
}

export class OpenChat {
  readonly viewers = new Set<Viewer>();
  conversation: Conversation;
  /** Whether the agent saves the chat, so that it can be reopened; undefined if the agent never ran. */
  saved: boolean | undefined;
  /** Something ended while no view showed the chat. */
  #unseen = false;
  #wasBusy = false;

  constructor(conversation: Conversation) {
    this.conversation = conversation;
  }

  /** The session's id, or the chat's own id while the session is empty. */
  get key(): string {
    return this.conversation.sessionId ?? this.conversation.id;
  }

  get state(): ChatState {
    const { requests, busy, facts } = this.conversation;
    if (requests.waiting > 0) return "waiting";
    if (busy) return "running";
    if (!this.#unseen) return "open";
    return facts.session.status === "failed" ? "failed" : "done";
  }

  /** Whether the chat has something to do: a turn runs, an agent starts, or a prompt will be sent. */
  get working(): boolean {
    const { busy, queue, facts } = this.conversation;
    const { prompts, held } = queue.shown;
    return busy || facts.session.status === "starting" || (prompts.length > 0 && held === undefined);
  }

  join(viewer: Viewer): void {
    this.viewers.add(viewer);
    this.#unseen = false;
  }

  /** Called after each change of the conversation. */
  noteState(): void {
    const { busy, live } = this.conversation;
    if (live) this.saved = live.keepsSessions;
    if (this.#wasBusy && !busy && this.viewers.size === 0) this.#unseen = true;
    this.#wasBusy = busy;
  }
}
