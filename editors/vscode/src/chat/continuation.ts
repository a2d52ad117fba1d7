/**
 * What happened to the session that should continue. The agent knows a `resumed`
 * session, but did not replay it. `why` is the agent's reason for not opening it.
 */
export type Fate = { how: "new" | "loaded" | "resumed" } | { how: "forgotten"; why?: string };

interface Words {
  severity: "info" | "warning";
  title: string;
  description?: string;
}

/** Returns the notice for a chat that shows no messages yet. */
function wordsFor(fate: Fate): Words | undefined {
  if (fate.how === "resumed") return { severity: "info", title: "The agent continues this chat, but cannot show its earlier messages." };
  if (fate.how !== "forgotten") return undefined;
  if (fate.why !== undefined) return { severity: "warning", title: "The agent could not reopen this chat and started a new session.", description: fate.why };
  return { severity: "info", title: "This agent does not save chats.", description: "Earlier messages cannot be shown. A new session was started." };
}

/**
 * Returns the notices, including one for an unfinished turn. `told`: Turnwire already
 * reported that it doesn't know how the turn ended.
 */
export function noticesFor(fate: Fate, { spoken, interrupted, told }: { spoken: boolean; interrupted: boolean; told: boolean }): Words[] {
  if (fate.how === "new") return [];
  const said = spoken ? undefined : wordsFor(fate);
  const cut: Words = { severity: "warning", title: "This turn was interrupted.", description: "The window was closed or reloaded before the turn ended." };
  return [...(said ? [said] : []), ...(interrupted && !told && !said ? [cut] : [])];
}
