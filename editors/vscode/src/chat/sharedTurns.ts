/**
 * Turns of a session that several clients share behind `turnwire serve`.
 *
 * The server reports how many turns are running when a session is opened, and then
 * each turn's beginning and end. The library doesn't know these updates, so they
 * are converted to notifications here, without changing the order of messages.
 */
import type { AnyMessage } from "@agentclientprotocol/sdk";

/** The capability, and the `_meta` member with the number. */
export const turnsMeta = "turnwire.dev/turns";
export const turnsMethod = "_turnwire/turns";

/** The number of running turns, a turn that began or ended, or another client's answer to a permission request. */
export type SharedTurnEvent =
  | { step: "are"; running: number }
  | { step: "begins" }
  | { step: "ends"; stopReason?: string; error?: string }
  | { step: "answered"; toolCallId: string; optionId: string; by: string };

export class SharedTurnReader {
  /** Returns the messages that replace a message. */
  read(message: AnyMessage): AnyMessage[] {
    const { method, params, result } = message as { method?: string; params?: unknown; result?: unknown };
    if (method === undefined) {
      const running = record(record(result)["_meta"])[turnsMeta];
      return typeof running === "number" ? [news({ step: "are", running }), message] : [message];
    }
    if (method !== "session/update") return [message];
    const { sessionUpdate, stopReason, error, toolCallId, optionId, resolvedBy } = record(record(params)["update"]);
    switch (sessionUpdate) {
      case "prompt_received":
        return [news({ step: "begins" })];
      case "turn_complete":
        return [news({ step: "ends", ...(typeof stopReason === "string" ? { stopReason } : {}), ...(typeof error === "string" ? { error } : {}) })];
      case "permission_resolved": {
        // The request is withdrawn after this.
        const { name } = record(resolvedBy);
        const known = typeof toolCallId === "string" && typeof optionId === "string" && typeof name === "string";
        return known ? [news({ step: "answered", toolCallId, optionId, by: name })] : [];
      }
      case "client_disconnected":
        return [];
      default:
        return [message];
    }
  }
}

const news = (params: SharedTurnEvent): AnyMessage => ({ jsonrpc: "2.0", method: turnsMethod, params });

const record = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
