/**
 * What happened to the session that should continue. The agent knows a `resumed`
 * session, but did not replay it. `why` is the agent's reason for not opening it.
 */
export type Continuation = { how: "new" | "loaded" | "resumed" } | { how: "forgotten"; why?: string };

interface Words {
  severity: "info" | "warning";
  title: string;
  description?: string;
}

/** Returns the notice for a chat that shows no messages yet. */
function wordsFor(continuation: Continuation): Words | undefined {
  if (continuation.how === "resumed") return { severity: "info", title: "The agent continues this chat, but cannot show its earlier messages." };
  if (continuation.how !== "forgotten") return undefined;
  if (continuation.why !== undefined) return { severity: "warning", title: "The agent could not reopen this chat and started a new session.", description: continuation.why };
  return { severity: "info", title: "This agent does not save chats.", description: "Earlier messages cannot be shown. A new session was started." };
}

/**
 * Returns the notices, including one for an unfinished turn. `reported`: Turnwire already
 * reported that it doesn't know how the turn ended.
 */
export function noticesFor(continuation: Continuation, { spoken, interrupted, reported }: { spoken: boolean; interrupted: boolean; reported: boolean }): Words[] {
  if (continuation.how === "new") return [];
  const about = spoken ? undefined : wordsFor(continuation);
  const cut: Words = { severity: "warning", title: "This turn was interrupted.", description: "The window was closed or reloaded before the turn ended." };
  return [...(about ? [about] : []), ...(interrupted && !reported && !about ? [cut] : [])];
}
