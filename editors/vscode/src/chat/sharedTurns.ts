/**
 * Turns of a session that several clients share behind `turnwire serve`.
 *
 * The server reports how many turns are running when a session is opened, and then
 * each turn's beginning and end. The library doesn't know these updates, so they
 * are converted to notifications here, without changing the order of messages.
 */
import type { AnyMessage } from "@agentclientprotocol/sdk";

import { partialMeta } from "./changeParts.js";

/** The capability, and the `_meta` member with the number. */
export const turnsMeta = "turnwire.dev/turns";
export const turnsMethod = "_turnwire/turns";

/** The number of running turns, or a turn that began or ended. */
export type SharedTurnEvent = { step: "are"; running: number } | { step: "begins" } | { step: "ends"; stopReason?: string; error?: string };

export const decidedMethod = "_turnwire/decided";

/** A permission that was decided in any client of the session. */
export interface SharedDecision {
  toolCallId: string;
  optionId: string;
  /** The client's name, or that of its device. */
  from: string;
  /** Only some of the changes were allowed. */
  partial?: boolean;
}

export class SharedTurnReader {
  /** Returns the messages that replace a message. */
  read(message: AnyMessage): AnyMessage[] {
    const { method, params, result } = message as { method?: string; params?: unknown; result?: unknown };
    if (method === undefined) {
      const running = record(record(result)["_meta"])[turnsMeta];
      return typeof running === "number" ? [news({ step: "are", running }), message] : [message];
    }
    if (method !== "session/update") return [message];
    const { sessionUpdate, stopReason, error, toolCallId, optionId, resolvedBy, _meta: meta } = record(record(params)["update"]);
    switch (sessionUpdate) {
      case "prompt_received":
        return [news({ step: "begins" })];
      case "turn_complete":
        return [news({ step: "ends", ...(typeof stopReason === "string" ? { stopReason } : {}), ...(typeof error === "string" ? { error } : {}) })];
      case "permission_resolved": {
        // The request is withdrawn next.
        const from = record(resolvedBy)["name"];
        if (typeof toolCallId !== "string" || typeof optionId !== "string" || typeof from !== "string") return [];
        const partial = record(meta)[partialMeta] === true ? { partial: true } : {};
        return [{ jsonrpc: "2.0", method: decidedMethod, params: { toolCallId, optionId, from, ...partial } satisfies SharedDecision }];
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
