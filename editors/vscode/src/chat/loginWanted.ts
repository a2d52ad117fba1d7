/** Handles an agent's error that a login is needed first. */
import * as acp from "@agentclientprotocol/sdk";

import type { Connection } from "./connection.js";
import { errorText } from "./rpcError.js";
import type { Editor } from "./editor.js";
import { waysOf, type Way } from "./loginMethods.js";
import type { Logins } from "./logins.js";

const authRequired = -32000;

/** Asks the user to log in; resolves with true if they did. */
export type LogIn = (connection: Connection, error: acp.RequestError) => Promise<boolean>;

export const isLoginWanted = (error: unknown): error is acp.RequestError => error instanceof acp.RequestError && error.code === authRequired;

/** Does the work, and again each time the user has logged in for it. */
export async function loggedIn<T>(connection: Connection, logIn: LogIn, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isLoginWanted(error) || !(await logIn(connection, error))) throw error;
    }
  }
}

/**
 * Offers the agent's login methods. Throws an error with a message for the user
 * if it has no methods.
 */
export async function offerLogin(logins: Logins, editor: Pick<Editor, "runLogin">, cwd: string, connection: Connection, error: acp.RequestError): Promise<boolean> {
  let ways = waysOf(connection.authMethods, connection.command);
  if (ways.length === 0) {
    // Turnwire answers for an agent that starts slowly, and may know more by
    // now.
    await connection.greetAgain().catch(() => {});
    ways = waysOf(connection.authMethods, connection.command);
  }
  const message = errorText(error);
  if (ways.length === 0) {
    throw new Error(`The agent requires a login: ${message}\nSee the agent's documentation for how to log in.`);
  }
  return logins.offer(message, ways, (way, signal) => attempt(way, signal, editor, cwd, connection), connection.signal);
}

async function attempt({ shown, command }: Way, signal: AbortSignal, editor: Pick<Editor, "runLogin">, cwd: string, connection: Connection): Promise<string | undefined> {
  try {
    if (!command) {
      const request = { methodId: shown.id };
      await connection.agent.request(acp.methods.agent.authenticate, request, { cancellationSignal: signal });
      return undefined;
    }
    const code = await editor.runLogin({ ...command, title: shown.name, cwd }, signal);
    if (code === 0) return undefined;
    return code === undefined ? "The terminal was closed before the login finished." : `The login command failed (exit status ${code}).`;
  } catch (error) {
    return errorText(error);
  }
}
