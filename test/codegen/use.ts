// What a program may expect from the generated types. It is compiled, not run.

import type { AgentCommand, Decision } from "./generated/agent-command.js";
import type { AgentEvent, ErrorEvent, PlanEntryStatus, StopReason, ToolKind } from "./generated/agent-event.js";

const event: AgentEvent = { type: "tool_start", toolCallId: "c", toolName: "t", kind: "edit" };
const kind: ToolKind = "read";
const status: PlanEntryStatus = "in_progress";
const reason: StopReason = "end_turn";
const failed: ErrorEvent = { type: "error", error: new Error("the global is not hidden").message };

export function told(event: AgentEvent): string {
  switch (event.type) {
    case "text_delta":
      return event.text; // the type determines the members
    case "tool_end":
      return event.ok ? "well" : (event.error ?? "not well");
    default:
      return event.type;
  }
}

export function decided(command: AgentCommand): Decision | undefined {
  return command.type === "tool_confirmation_response" ? command.decision : undefined;
}

// @ts-expect-error there is no such event
export const wrong: AgentEvent = { type: "text_dleta", text: "x" };

export const all = [event, kind, status, reason, failed];
