/**
 * Excludes the time a call waited for the user from its duration: after the
 * answer, the call counts as begun that much later.
 */
import type { ToolCall } from "../shared/model.js";

export class WaitingTimes {
  readonly #since = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Returns the call to show next; `before` is how it was shown. */
  counted(before: ToolCall, next: ToolCall): ToolCall {
    const since = this.#since.get(next.id);
    if (next.permission) {
      if (since === undefined) this.#since.set(next.id, this.#now());
      return next;
    }
    this.#since.delete(next.id);
    if (since === undefined || before.ended !== undefined) return next;
    // A pending call has not begun, and may have waited before this client joined.
    const started = before.status === "pending" ? this.#now() : next.started + (this.#now() - since);
    return { ...next, started };
  }
}
