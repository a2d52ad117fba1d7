/**
 * Turnwire's own events: what an agent says and the protocol has no place for.
 *
 * They come to a client that asks for them. Most are for the log of events, where
 * somebody who writes an agent looks; tokens and cost are for everybody, also where
 * the size of the model's window is not known, which the protocol wants to be told.
 */
import type { AgentEvent, UsageEvent } from "../generated/agentEvent.js";
import type { Usage } from "../shared/model.js";

export type EventType = AgentEvent["type"];

/** An event as it came: its type is known, or it is passed on as it is. */
export type WireEvent = AgentEvent | { type: string };

/** The event in a notification's params, if they hold one. */
export function readEvent(params: unknown): { sessionId: string; event: WireEvent } | undefined {
  if (typeof params !== "object" || params === null) return undefined;
  const { sessionId, event } = params as Record<string, unknown>;
  if (typeof sessionId !== "string" || typeof event !== "object" || event === null) return undefined;
  return "type" in event && typeof event.type === "string" ? { sessionId, event: event as WireEvent } : undefined;
}

const is = <T extends EventType>(event: WireEvent, type: T): event is Extract<AgentEvent, { type: T }> => event.type === type;

/**
 * One line for the log: what people look for first, and with `whole` the event itself.
 * That may hold what people answered and what the agent keeps.
 */
export function describe(event: WireEvent, whole: boolean): string {
  return [event.type, headlineOf(event), whole ? JSON.stringify(event) : ""].filter(Boolean).join(" ");
}

function headlineOf(event: WireEvent): string {
  if (is(event, "run_start")) return [event.provider, event.model].filter(Boolean).join(" ");
  if (is(event, "step_start") || is(event, "step_end")) return event.stepId ?? "";
  if (is(event, "usage")) return `${contextOf(event)} tokens, $${cost(event).toFixed(4)}`;
  if (is(event, "telemetry")) return event.name;
  if (is(event, "tool_progress")) return event.message;
  return "";
}

/** What a usage event adds to what is known; the cost is that of one request. */
export function addUsage(known: Usage | undefined, event: WireEvent): Usage | undefined {
  if (!is(event, "usage")) return known;
  const spent = (known?.cost?.amount ?? 0) + cost(event);
  return {
    used: contextOf(event),
    ...(known?.size === undefined ? {} : { size: known.size }),
    ...(spent > 0 ? { cost: { amount: spent, currency: "USD" } } : {}),
  };
}

/** The wire may say anything; what is no number counts as nothing. */
const count = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0);
const cost = (event: UsageEvent): number => count(event.estimatedCostUsd);
const contextOf = (event: UsageEvent): number =>
  count(event.inputTokens) + count(event.outputTokens) + count(event.cacheReadTokens) + count(event.cacheCreationTokens);
