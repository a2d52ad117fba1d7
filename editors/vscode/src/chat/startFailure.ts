/**
 * Why the agent could not be started, in words for the user. The command is Turnwire's
 * own binary, which may be missing, broken or too old.
 */
import * as acp from "@agentclientprotocol/sdk";

import type { Command } from "./command.js";
import { FixableError } from "./fixes.js";
import type { Transport } from "./machine.js";
import { errorText } from "./rpcError.js";

/** How earlier versions report a command or flag that they don't have. */
const unknown = /\bunknown (?:command|flag|shorthand flag)\b/i;

export const notFound = (command: string, needed: string): string =>
  `${command} was not found. Install Turnwire ${needed} or later, or set turnwire.command to the path of its binary.`;

/** `needed` is the version of Turnwire that this extension requires. */
export async function startFailure(error: unknown, transport: Transport, { command }: Command, needed: string): Promise<Error> {
  await transport.stop();
  const { errors } = transport;
  const end = await transport.ended;
  if (end.fault !== undefined) return new FixableError(end.fault, "install", "settings", "again");
  const answered = error instanceof acp.RequestError;
  const output = errors ? `\n\nError output:\n${errors}` : "";
  if (!answered && end.program && unknown.test(errors)) {
    return new FixableError(`${command} is too old for this extension, which needs Turnwire ${needed} or later.${output}`, "install", "settings", "again");
  }
  // If it hung, it was ended here, which says nothing about it.
  if (isClosed(error) && (end.program === "crashed" || (end.program === "exited" && errors === ""))) {
    return new FixableError(`${command} is broken or is not Turnwire: this extension needs Turnwire ${needed} or later.\n\n${end.what}${output}`, "install", "settings", "again");
  }
  const why = answered || !isClosed(error) ? errorText(error) : end.what;
  return new FixableError(`${command} failed to start. ${why}${output}`, "log", "settings", "again");
}

/** Reports whether an error only says that the connection has ended. */
export const isClosed = (error: unknown): boolean =>
  error instanceof Error && (error.message === "ACP connection closed" || (error as NodeJS.ErrnoException).code === "EPIPE");
