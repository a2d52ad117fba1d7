/** The page as a chat's machine: it connects to agents, and offers them nothing. */
import { withoutMachine } from "../chat/capabilities.js";
import type { Machine } from "../chat/machine.js";
import { serverPaths } from "./paths.js";
import { SocketTransport } from "./socket.js";

/** Calls `lost` when the server is gone. */
export const pageMachine = (lost: () => void): Machine => ({
  client: { name: "turnwire-page", title: "Turnwire in a browser" },
  capabilities: withoutMachine,
  everyFolder: true,
  reconnects: true,
  launch: (command) => ({ transport: new SocketTransport(command.command, lost), command }),
  files: () => undefined,
  terminals: () => undefined,
  paths: serverPaths,
});
