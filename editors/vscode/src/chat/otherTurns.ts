/**
 * All running turns of a session that several clients share.
 * The user's own turn counts until its prompt is answered.
 */
import { stopReasons } from "./turn.js";
import type { SharedTurnEvent } from "./sharedTurns.js";

export class OtherTurns {
  /** The agent is behind a server, where a session continues without this client. */
  shared = false;
  running = 0;

  update(news: SharedTurnEvent): void {
    if (news.step === "answered") return;
    if (news.step === "are") this.running = Math.max(0, news.running);
    else this.running = Math.max(0, this.running + (news.step === "begins" ? 1 : -1));
  }

  /** Resets after the connection has ended. */
  forget(): void {
    this.shared = false;
    this.running = 0;
  }
}

/** Returns how another client's turn ended, and the notice for it. */
export function endOf(news: SharedTurnEvent): { how: "ended" | "cancelled" | "failed"; title?: string; description?: string } {
  if (news.step !== "ends") return { how: "ended" };
  if (news.error !== undefined) return { how: "failed", title: "The turn failed.", description: news.error };
  const title = stopReasons[news.stopReason as keyof typeof stopReasons];
  return { how: news.stopReason === "cancelled" ? "cancelled" : "ended", ...(title === undefined ? {} : { title }) };
}
