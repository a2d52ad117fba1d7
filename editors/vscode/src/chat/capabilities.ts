/**
 * What this client can do, and says that it can: each of these is used in
 * `connection.ts`, and nothing else is promised.
 */
import type { ClientCapabilities } from "@agentclientprotocol/sdk";

import { timesMeta } from "./times.js";
import { turnsMeta } from "./turnNews.js";

/** Asks Turnwire for the events that the protocol has no place for. */
export const eventsMeta = "turnwire.dev/events";

export const capabilities: ClientCapabilities = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  auth: { terminal: true },
  session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
  elicitation: { form: {} },
  _meta: {
    // What a command prints comes as it is printed, and not again as a whole.
    terminal_output: true,
    // How agents asked for a terminal to log in before the protocol had it.
    "terminal-auth": true,
    [eventsMeta]: true,
    [turnsMeta]: true,
    [timesMeta]: true,
  },
};

/** The same where the agent works with the files and commands of a server by itself. */
export const withoutMachine: ClientCapabilities = {
  session: capabilities.session!,
  elicitation: capabilities.elicitation!,
  _meta: { terminal_output: true, [eventsMeta]: true, [turnsMeta]: true, [timesMeta]: true },
};
