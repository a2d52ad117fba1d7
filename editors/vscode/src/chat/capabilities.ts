/**
 * This client's capabilities. Each is implemented in `connection.ts`; nothing
 * else is advertised.
 */
import type { ClientCapabilities } from "@agentclientprotocol/sdk";

import { forkMeta } from "./cursors.js";
import { timesMeta } from "./times.js";
import { turnsMeta } from "./sharedTurns.js";

/** Asks Turnwire for events that the protocol can't express. */
export const eventsMeta = "turnwire.dev/events";

/** The library doesn't know cursors yet. */
const session: ClientCapabilities["session"] & { cursors: object } = { notices: {}, compaction: {}, configOptions: { boolean: {} }, cursors: {} };

export const capabilities: ClientCapabilities = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  auth: { terminal: true },
  session,
  elicitation: { form: {} },
  _meta: {
    // Stream command output as it is printed, without repeating it as a whole.
    terminal_output: true,
    // How agents asked for a terminal login before the protocol supported it.
    "terminal-auth": true,
    [eventsMeta]: true,
    [turnsMeta]: true,
    [timesMeta]: true,
    [forkMeta]: true,
  },
};

/** The capabilities for an agent that uses a server's files and commands itself. */
export const withoutMachine: ClientCapabilities = {
  session,
  elicitation: capabilities.elicitation!,
  _meta: { terminal_output: true, [eventsMeta]: true, [turnsMeta]: true, [timesMeta]: true, [forkMeta]: true },
};
