/**
 * Collects changes into batches, at most one per frame: an agent may stream
 * faster than the view can draw.
 */
import type { Change } from "../shared/messages.js";

const frame = 16;

export class Outbox {
  readonly #send: (changes: Change[]) => void;
  #pending: Change[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(send: (changes: Change[]) => void) {
    this.#send = send;
  }

  push(change: Change): void {
    const merged = merge(this.#pending.at(-1), change);
    if (merged) this.#pending[this.#pending.length - 1] = merged;
    else this.#pending.push(change);
    this.#timer ??= setTimeout(() => this.flush(), frame);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const changes = this.#pending;
    this.#pending = [];
    if (changes.length > 0) this.#send(changes);
  }

  /**
   * Drops the pending changes, because the listener receives the whole chat
   * instead.
   */
  clear(): void {
    this.#pending = [];
    this.flush();
  }
}

/** Merges two consecutive changes into one, if possible. */
function merge(last: Change | undefined, next: Change): Change | undefined {
  if (!last) return undefined;
  if (last.type === "session" && next.type === "session") return next;
  if (last.type === "queue" && next.type === "queue") return next;
  if (last.type === "item" && next.type === "item" && last.item.id === next.item.id) return next;
  if (last.type === "text" && next.type === "text" && last.id === next.id) {
    return { ...last, text: last.text + next.text };
  }
  if (last.type === "output" && next.type === "output" && last.id === next.id && last.index === next.index) {
    return { ...last, text: last.text + next.text };
  }
  if (last.type === "content" && next.type === "content" && last.id === next.id && last.index === next.index) {
    return next;
  }
  return undefined;
}
