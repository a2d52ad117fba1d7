/**
 * The user's messages at which the session can be forked.
 *
 * The agent announces cursors: positions before a message of the user, or after one of the
 * agent's. The protocol's library doesn't know this update yet, so it is converted to
 * one that it knows, without changing the order of messages.
 */
import type { AnyMessage } from "@agentclientprotocol/sdk";

import type { Transcript } from "./transcript.js";

/** The `_meta` member with the cursor. */
export const cursorMeta = "turnwire.dev/cursor";

/** Asks Turnwire to offer forks. */
export const forkMeta = "turnwire.dev/fork";

/** The `_meta` member of a prompt with the id of its message. */
export const messageIdMeta = "turnwire.dev/messageId";

/** Returns the message that replaces an announcement, or the message itself. */
export function readCursor(message: AnyMessage): AnyMessage {
  const { method, params } = message as { method?: string; params?: unknown };
  const { sessionId, update, _meta } = record(params);
  if (method !== "session/update" || record(update)["sessionUpdate"] !== "cursor_update") return message;
  const info = { sessionUpdate: "session_info_update", _meta: { [cursorMeta]: update } };
  return { jsonrpc: "2.0", method, params: { sessionId, update: info, ...(_meta === undefined ? {} : { _meta }) } } as AnyMessage;
}

/** Most cursors of a chat. */
const mostCursors = 10_000;

export class Cursors {
  readonly #transcript: Transcript;
  /** The user's items by the protocol's message id. */
  readonly #items = new Map<string, string>();
  /** The cursors of the user's items. */
  readonly #places = new Map<string, string>();
  /** Whether a cursor can be forked now. */
  readonly #forks = new Map<string, boolean>();
  /** The agent's latest message or tool call, and the cursor after it. */
  #last: string | undefined;
  #ahead: string | undefined;

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  /** Called with each new item of the user. */
  userSays(item: string, messageId: string | undefined): void {
    if (messageId !== undefined) this.#items.set(messageId, item);
    if (this.#ahead !== undefined) this.#place(item, this.#ahead);
    this.#last = this.#ahead = undefined;
  }

  /** Called with the id of the message or tool call to which an update belongs. */
  agentSays(id: string | undefined): void {
    if (id === undefined || id !== this.#last) this.#ahead = undefined;
    this.#last = id;
  }

  /** Applies an announcement. A malformed one announces nothing. */
  update(said: unknown): void {
    const { cursorId, capabilities, anchor } = record(said);
    if (typeof cursorId !== "string" || (this.#forks.size >= mostCursors && !this.#forks.has(cursorId))) return;
    if (capabilities !== undefined || !this.#forks.has(cursorId)) this.#allow(cursorId, isRecord(record(capabilities)["fork"]));
    const { type, messageId, toolCallId, position } = record(anchor);
    const id = messageId ?? toolCallId;
    if (typeof id !== "string") return;
    const item = this.#items.get(id);
    if (position === "after" && id === this.#last) this.#ahead = cursorId;
    else if (position === "before" && type === "user_message" && item !== undefined) this.#place(item, cursorId);
  }

  #allow(cursor: string, forks: boolean): void {
    this.#forks.set(cursor, forks);
    for (const [item, place] of this.#places) if (place === cursor) this.#show(item);
  }

  #place(item: string, cursor: string): void {
    this.#places.set(item, cursor);
    this.#show(item);
  }

  #show(id: string): void {
    const item = this.#transcript.find("user", id);
    const place = this.#places.get(id);
    if (!item || place === undefined) return;
    const { cursor: _, ...rest } = item;
    this.#transcript.put(this.#forks.get(place) ? { ...rest, cursor: place } : rest);
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
const record = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});
