/**
 * Turns of a session that several front ends share, behind `turnwire serve`.
 *
 * The server tells how many run when a session is opened, and then of each that
 * begins and ends. It does so in updates that the library does not know; here they
 * become notifications, in the same place of the order.
 */
import type { AnyMessage } from "@agentclientprotocol/sdk";

/** The capability, and the member of `_meta` with the number. */
export const turnsMeta = "turnwire.dev/turns";
export const turnsMethod = "_turnwire/turns";

/** How many run now; or that one has begun, or ended. */
export type TurnsOfOthers = { step: "are"; running: number } | { step: "begins" } | { step: "ends"; stopReason?: string; error?: string };

export class TurnNews {
  /** What there is to hand on in the place of a message. */
  read(message: AnyMessage): AnyMessage[] {
    const { method, params, result } = message as { method?: string; params?: unknown; result?: unknown };
    if (method === undefined) {
      const running = record(record(result)["_meta"])[turnsMeta];
      return typeof running === "number" ? [news({ step: "are", running }), message] : [message];
    }
    if (method !== "session/update") return [message];
    const { sessionUpdate, stopReason, error } = record(record(params)["update"]);
    switch (sessionUpdate) {
      case "prompt_received":
        return [news({ step: "begins" })];
      case "turn_complete":
        return [news({ step: "ends", ...(typeof stopReason === "string" ? { stopReason } : {}), ...(typeof error === "string" ? { error } : {}) })];
      case "permission_resolved":
      case "client_disconnected":
        return []; // the question is withdrawn as well
      default:
        return [message];
    }
  }
}

const news = (params: TurnsOfOthers): AnyMessage => ({ jsonrpc: "2.0", method: turnsMethod, params });

const record = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
