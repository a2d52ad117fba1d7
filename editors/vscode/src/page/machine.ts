/** The page as a chat's machine: it connects to agents, and offers them nothing. */
import { withoutMachine } from "../chat/capabilities.js";
import type { Machine } from "../chat/machine.js";
import { serverPaths } from "./paths.js";
import { SocketTransport, type SocketEvents } from "./socket.js";

export const pageMachine = (events: SocketEvents): Machine => ({
  client: { name: "turnwire-page", title: "Turnwire in a browser" },
  capabilities: withoutMachine,
  everyFolder: true,
  reconnects: true,
  launch: (command) => ({ transport: new SocketTransport(command.command, events), command }),
  files: () => undefined,
  terminals: () => undefined,
  paths: serverPaths,
});
