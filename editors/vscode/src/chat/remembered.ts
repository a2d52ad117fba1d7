/** What is remembered of a chat: which one it was. What was said in it is kept by the agent alone. */

export interface Remembered {
  chatId: string;
  /** The protocol's session. */
  sessionId: string;
  agent: string;
  /** The folder that the agent worked in. */
  cwd?: string;
  /** A turn runs. */
  busy?: boolean;
}

/** What was remembered, if it is that: it may be from another version. */
export function remembered(value: unknown): Remembered | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { chatId, sessionId, agent, cwd, busy } = value as Partial<Record<keyof Remembered, unknown>>;
  if (typeof chatId !== "string" || typeof sessionId !== "string" || typeof agent !== "string") return undefined;
  return { chatId, sessionId, agent, ...(typeof cwd === "string" ? { cwd } : {}), ...(busy === true ? { busy } : {}) };
}
