/** The page's requests to the server outside the protocol. */
import type { ServedSession } from "../chat/sessions.js";

/** The server's state for a logged-in user. */
export interface State {
  version: string;
  /** A token is needed, so the user can log out. */
  login: boolean;
  /** The server's folder, for new sessions. */
  folder: string;
  /** The folders to choose from for a new session. */
  folders?: string[];
  agents: { name: string; path: string }[];
  /** The key to subscribe to notifications with, if this page can. */
  pushKey?: string;
  /** Open sessions, and each agent's newest saved ones. */
  sessions: { sessionId: string; agent: string; cwd: string; title?: string; updatedAt?: string; open: boolean; running: boolean; waiting: number }[];
}

/** `unknown`: not logged in; `away`: the server can't be reached. */
export type Asked = { state: State } | "unknown" | "away";

const patience = 10_000;

export async function askState(): Promise<Asked> {
  const answer = await post("/page/state", {});
  if (answer === undefined) return "away";
  if (answer.status === 401) return "unknown";
  if (!answer.ok) return "away";
  const state = await answer.json().catch(() => undefined);
  return state === undefined ? "away" : { state: state as State };
}

/**
 * Exchanges a token for a cookie that scripts can't read; resolves with the
 * error for the user, if any.
 */
export async function logIn(token: string): Promise<string | undefined> {
  const answer = await post("/login", { token });
  if (answer === undefined) return "The server cannot be reached.";
  if (answer.ok) return undefined;
  if (answer.status === 429) return "Too many attempts. Wait a few seconds and try again.";
  return answer.status === 403 ? "The server rejected this token. It may have been used, revoked or expired." : `The server returned an error (${answer.status}).`;
}

export async function logOut(): Promise<void> {
  await post("/logout", {});
}

/** Changes this browser's subscription to notifications; resolves with the error for the user, if any. */
export async function pushed(what: { subscribe: unknown } | { unsubscribe: string }): Promise<string | undefined> {
  const answer = await post("/page/push", what);
  if (answer === undefined) return "The server cannot be reached.";
  return answer.ok ? undefined : `The server returned an error (${answer.status}).`;
}

/** Converts the server's sessions for the chat. */
export function servedBy({ sessions }: State): ServedSession[] {
  return sessions.map(({ sessionId, agent, cwd, title, updatedAt, open, running, waiting }) => ({
    id: sessionId,
    agent,
    cwd,
    ...(title === undefined ? {} : { title }),
    ...(updatedAt === undefined ? {} : { updatedAt }),
    ...(open ? { state: waiting > 0 ? "waiting" : running ? "running" : "open" } : {}),
  }));
}

async function post(path: string, body: unknown): Promise<Response | undefined> {
  try {
    return await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      credentials: "same-origin",
      cache: "no-store",
      redirect: "error",
      signal: AbortSignal.timeout(patience),
    });
  } catch {
    return undefined;
  }
}
