/** Everything around the chat: the server's state, and the page's own questions and messages. */

import type { PushState } from "./push.js";

export interface Shell {
  /** `login`: not logged in; `away`: the server can't be reached, and is retried. */
  server: "there" | "away" | "login";
  /** Set while the chat's connection is interrupted; tries to restore it now. */
  reconnect?: (() => void) | undefined;
  /** Without the server, the time of the state that the chat shows, in milliseconds since 1970. */
  asOf?: number | undefined;
  /** Why the last login failed. */
  fault?: string | undefined;
  /** A message for the user. */
  message?: string | undefined;
  /** A question for the user. */
  question?: { text: string; yes: string; answer(yes: boolean): void } | undefined;
  /** The open chat's folder, and those that a new chat can start in. */
  folder?: string;
  folders?: string[];
  /** Notifications while the page is closed. */
  push?: PushState;
  /** Whether to offer notifications. */
  offer?: boolean;
  /** Whether a token is needed at all; otherwise there is no logout. */
  loggedIn?: boolean;
}

let now: Shell = { server: "there" };
const listeners = new Set<() => void>();

export const shell = (): Shell => now;

export function change(by: Partial<Shell>): void {
  now = { ...now, ...by };
  for (const listener of listeners) listener();
}

export function onShell(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function confirm(text: string, yes: string): Promise<boolean> {
  now.question?.answer(false);
  return new Promise((resolve) => {
    const answer = (confirmed: boolean): void => {
      if (now.question?.answer === answer) change({ question: undefined });
      resolve(confirmed);
    };
    change({ question: { text, yes, answer } });
  });
}
