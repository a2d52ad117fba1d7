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
  if (fate.how === "resumed") return { severity: "info", title: "The agent goes on with this chat, but cannot show what was said in it." };
  if (fate.how !== "forgotten") return undefined;
  if (fate.why !== undefined) return { severity: "warning", title: "The agent could not open this chat again, and has begun a new session.", description: fate.why };
  return { severity: "info", title: "This agent does not keep its chats.", description: "What was said before cannot be shown. A new session has begun." };
}

/**
 * Returns the notices, including one for an unfinished turn. `told`: Turnwire already
 * reported that it doesn't know how the turn ended.
 */
export function noticesFor(fate: Fate, { spoken, interrupted, told }: { spoken: boolean; interrupted: boolean; told: boolean }): Words[] {
  if (fate.how === "new") return [];
  const said = spoken ? undefined : wordsFor(fate);
  const cut: Words = { severity: "warning", title: "This turn was interrupted.", description: "The window was closed or loaded again before it ended." };
  return [...(said ? [said] : []), ...(interrupted && !told && !said ? [cut] : [])];
}
