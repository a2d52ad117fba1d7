/** Which chat a window had open. Only the agent stores its messages. */

export interface Remembered {
  chatId: string;
  /** The ACP session's id. */
  sessionId: string;
  agent: string;
  /** The agent's working folder. */
  cwd?: string;
  /** Whether a turn was running. */
  busy?: boolean;
}

/** Validates a stored value, which may come from another version. */
export function remembered(value: unknown): Remembered | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { chatId, sessionId, agent, cwd, busy } = value as Partial<Record<keyof Remembered, unknown>>;
  if (typeof chatId !== "string" || typeof sessionId !== "string" || typeof agent !== "string") return undefined;
  return { chatId, sessionId, agent, ...(typeof cwd === "string" ? { cwd } : {}), ...(busy === true ? { busy } : {}) };
}
