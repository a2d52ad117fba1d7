/** What stands around the chat: whether the server is there, and what the page itself asks or says. */

export interface Shell {
  /** `login`: nobody is logged in; `away`: the server cannot be reached, and is tried again. */
  server: "there" | "away" | "login";
  /** Why the last login has not worked. */
  fault?: string | undefined;
  /** Something to tell the person. */
  told?: string | undefined;
  /** Something to ask them. */
  question?: { text: string; yes: string; answer(yes: boolean): void } | undefined;
  /** Whether notifications are offered. */
  offer?: boolean;
  /** Whether a token is wanted at all: otherwise there is nothing to log out of. */
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
    const answer = (said: boolean): void => {
      if (now.question?.answer === answer) change({ question: undefined });
      resolve(said);
    };
    change({ question: { text, yes, answer } });
  });
}
