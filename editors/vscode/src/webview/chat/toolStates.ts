/** The word and the icon for each state of a call. */
import type { ToolCall, ToolStatus } from "../../shared/model.js";
import type { IconName } from "../frame/icons.js";

interface State {
  word: string;
  icon?: IconName;
  /** The word appears next to the icon, because the state is unexpected. */
  spoken?: true;
}

const states: Record<ToolStatus, State> = {
  pending: { word: "Waiting", icon: "circle" },
  in_progress: { word: "Running" },
  completed: { word: "Done", icon: "check" },
  failed: { word: "Failed", icon: "error", spoken: true },
  rejected: { word: "Rejected", icon: "barred", spoken: true },
  cancelled: { word: "Cancelled", icon: "cross", spoken: true },
  interrupted: { word: "Interrupted", icon: "bolt", spoken: true },
};

export function stateOf({ status, permission }: ToolCall): State {
  if (permission) return { word: "Waiting for your answer", icon: "question" };
  return states[status] ?? states.pending;
}

/** Whether the duration is known. A replayed call may have none, and a call that nobody allowed never ran, or does not run yet. */
export function hasDuration({ status, permission, unsent, started, ended }: ToolCall): boolean {
  return permission === undefined && !unsent && status !== "pending" && status !== "rejected" && ended !== started;
}

/** Returns the decision, unless the state already implies it. */
export function decisionOf(tool: ToolCall): string | undefined {
  return tool.status === "rejected" || tool.decision === stateOf(tool).word ? undefined : tool.decision;
}
