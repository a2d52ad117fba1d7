/** Answers to permission requests from the editor's diff view. */
import type { Conversation } from "./conversation.js";
import type { ShownDiff } from "./editor.js";

/**
 * Answers a call's request with the only option of that kind; returns false if it
 * can't. To allow it, the diff must still be everything the call is about, because a
 * call can change while its diff is open. The diff also has the changes that were refused.
 */
export function decide({ requests, chat }: Conversation, { toolCallId, diff }: ShownDiff, kind: "allow_once" | "reject_once"): boolean {
  const permission = requests.permissions.of(toolCallId);
  const [option, ...others] = permission?.options.filter((o) => o.kind === kind) ?? [];
  if (!permission || !option || others.length > 0) return false;
  if (kind === "allow_once" && permission.parts?.some(({ refused }) => refused.length > 0)) return false;
  const call = chat.items.find((item) => item.id === toolCallId);
  const diffs = call?.type === "tool" ? call.content.filter((c) => c.type === "diff") : [];
  const seen = diffs.every((d) => d.path === diff.path && d.oldText === diff.oldText && d.newText === diff.newText);
  if (kind === "allow_once" && (diffs.length === 0 || !seen)) return false;
  return requests.permissions.answer(permission.requestId, option.id);
}
