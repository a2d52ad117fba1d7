/** The page as the machine of a chat: it reaches agents, and has nothing for them. */
import { withoutMachine } from "../chat/capabilities.js";
import type { Machine } from "../chat/machine.js";
import { serverPaths } from "./paths.js";
import { SocketLink } from "./socket.js";

/** `lost` is told when the server has gone away. */
export const pageMachine = (lost: () => void): Machine => ({
  client: { name: "turnwire-page", title: "Turnwire in a browser" },
  capabilities: withoutMachine,
  everyFolder: true,
  reconnects: true,
  launch: (command) => ({ link: new SocketLink(command.command, lost), command }),
  files: () => undefined,
  terminals: () => undefined,
  paths: serverPaths,
});
