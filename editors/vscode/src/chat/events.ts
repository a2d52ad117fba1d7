/**
 * Turnwire's own events, for what the protocol can't express.
 *
 * Only clients that ask for them receive them. Most go to the event log, for authors
 * of agents. Tokens and cost are for everybody, even if the model's context window is
 * unknown, which the protocol requires.
 */
import type { AgentEvent, UsageEvent } from "../generated/agentEvent.js";
import type { Usage } from "../shared/model.js";

export type EventType = AgentEvent["type"];

/** An event as received. Unknown types are passed on unchanged. */
export type WireEvent = AgentEvent | { type: string };

/** Returns the event in a notification's params, or undefined. */
export function readEvent(params: unknown): { sessionId: string; event: WireEvent } | undefined {
  if (typeof params !== "object" || params === null) return undefined;
  const { sessionId, event } = params as Record<string, unknown>;
  if (typeof sessionId !== "string" || typeof event !== "object" || event === null) return undefined;
  return "type" in event && typeof event.type === "string" ? { sessionId, event: event as WireEvent } : undefined;
}

const is = <T extends EventType>(event: WireEvent, type: T): event is Extract<AgentEvent, { type: T }> => event.type === type;

/**
 * Returns one line for the log: the most useful members and, with `whole`, the event
 * itself. The event may contain the user's answers and the agent's state.
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

/** Adds a usage event to the known usage. The event's cost is that of one request. */
export function addUsage(known: Usage | undefined, event: WireEvent): Usage | undefined {
  if (!is(event, "usage")) return known;
  const spent = (known?.cost?.amount ?? 0) + cost(event);
  return {
    used: contextOf(event),
    ...(known?.size === undefined ? {} : { size: known.size }),
    ...(spent > 0 ? { cost: { amount: spent, currency: "USD" } } : {}),
  };
}

/** The wire value may be anything; values that aren't positive numbers count as 0. */
const count = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0);
const cost = (event: UsageEvent): number => count(event.estimatedCostUsd);
const contextOf = (event: UsageEvent): number =>
  count(event.inputTokens) + count(event.outputTokens) + count(event.cacheReadTokens) + count(event.cacheCreationTokens);
