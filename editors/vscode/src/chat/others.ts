/**
 * The turns that run in a session which several front ends share, whoever has begun
 * them: also this one's own, until its prompt is answered.
 */
import { stopReasons } from "./turn.js";
import type { TurnsOfOthers } from "./turnNews.js";

export class Others {
  /** The agent is behind a server, where a session goes on without this front end. */
  shared = false;
  running = 0;

  take(news: TurnsOfOthers): void {
    if (news.step === "are") this.running = Math.max(0, news.running);
    else this.running = Math.max(0, this.running + (news.step === "begins" ? 1 : -1));
  }

  /** The connection is gone. */
  forget(): void {
    this.shared = false;
    this.running = 0;
  }
}

/** How the turn of another has ended, and what there is to say of it. */
export function endOf(news: TurnsOfOthers): { how: "ended" | "cancelled" | "failed"; title?: string; description?: string } {
  if (news.step !== "ends") return { how: "ended" };
  if (news.error !== undefined) return { how: "failed", title: "The turn has failed.", description: news.error };
  const title = stopReasons[news.stopReason as keyof typeof stopReasons];
  return { how: news.stopReason === "cancelled" ? "cancelled" : "ended", ...(title === undefined ? {} : { title }) };
}
