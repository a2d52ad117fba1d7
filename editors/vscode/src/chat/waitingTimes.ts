/**
 * Excludes the time a call waited for the user, and its answer for the network, from its
 * duration: then the call counts as begun that much later.
 */
import type { ToolCall } from "../shared/model.js";

export class WaitingTimes {
  readonly #since = new Map<string, number>();
  readonly #answered = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Returns the call to show next; `before` is how it was shown. */
  counted(before: ToolCall, next: ToolCall): ToolCall {
    const { id } = next;
    const now = this.#now();
    if (next.permission) {
      if (!before.permission) this.#since.set(id, now);
      return next;
    }
    if (next.unsent) {
      // A lost connection is noticed later than it was lost.
      if (!before.unsent) this.#since.set(id, this.#answered.get(id) ?? now);
      return next;
    }
    const since = this.#since.get(id);
    this.#since.delete(id);
    this.#answered.set(id, now);
    if (since === undefined || before.ended !== undefined) return next;
    // A pending call has not begun, and may have waited before this client joined.
    const started = before.status === "pending" ? now : Math.min(now, next.started + (now - since));
    return { ...next, started };
  }
}
