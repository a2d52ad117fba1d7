/** How a call goes, in a word and an icon of its own. */
import type { ToolCall, ToolStatus } from "../../shared/model.js";
import type { IconName } from "../frame/icons.js";

interface State {
  word: string;
  icon?: IconName;
  /** The word stands beside the icon: it is not what everybody expects. */
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
  if (permission) return { word: "Waits for your answer", icon: "question" };
  return states[status] ?? states.pending;
}

/** Whether it is known how long it ran: a call that was played back took no time, and one that nobody allowed never ran. */
export function hasDuration({ status, permission, started, ended }: ToolCall): boolean {
  return permission === undefined && status !== "pending" && status !== "rejected" && ended !== started;
}

/** How it was decided, where the state does not say so already. */
export function decisionOf(tool: ToolCall): string | undefined {
  return tool.status === "rejected" || tool.decision === stateOf(tool).word ? undefined : tool.decision;
}
