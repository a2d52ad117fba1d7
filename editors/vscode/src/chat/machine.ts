/**
 * What a chat needs of where it runs: the way to its agent, and what the agent may
 * have of this machine.
 *
 * An extension host starts the agent, and has files and terminals for it (`here.ts`).
 * A page reaches one over the network, and has none of that.
 */
import type { ClientCapabilities, Implementation, Stream } from "@agentclientprotocol/sdk";

import type { Command } from "./command.js";
import type { Editor } from "./editor.js";
import type { Files } from "./files.js";
import type { RunningTerminal, Terminals } from "./terminals.js";

/** The other end of a connection. */
export interface Link {
  readonly stream: Stream;
  /** Resolves when it is gone and all that it has said was read. */
  readonly ended: Promise<Ending>;
  /** The end of what it has said beside the protocol. */
  readonly errors: string;
  /** Ends it; resolves when it is gone. */
  stop(): Promise<void>;
}

/** How a link has ended, in words for a person. */
export interface Ending {
  /** Such as "The agent has stopped." */
  what: string;
  how: string;
  /** It never began, and this says why. */
  fault?: string;
}

export interface Machine {
  /** Who says hello to the agent, and what it can do: each of it is done in `serve.ts`. */
  readonly client: Omit<Implementation, "version">;
  readonly capabilities: ClientCapabilities;
  /** Sessions of every folder are listed: there is no workspace. */
  readonly everyFolder: boolean;
  /** Somebody opens the chat again when its connection was lost. */
  readonly reconnects: boolean;
  /** Starts an agent, or calls one. Throws in words for a person. */
  launch(command: Command, cwd: string, onErrors: (text: string) => void): { link: Link; command: Command };
  /** What the agent may read and write; nothing where it has no files here. */
  files(editor: Editor): Pick<Files, "read" | "write"> | undefined;
  terminals(begun: (terminal: RunningTerminal) => void): Pick<Terminals, "create" | "output" | "waitForExit" | "kill" | "release" | "releaseAll"> | undefined;
  readonly paths: Paths;
}

/** Paths, by the rules of the machine that they belong to. */
export interface Paths {
  base(path: string): string;
  /** As it is said within the folder that holds it; nothing where none does. */
  relativeTo(folders: readonly string[], path: string): string | undefined;
  /** Whether it is in one of the folders when all links are followed. */
  isInside(path: string, folders: readonly string[]): Promise<boolean>;
  /** Of a file: URI; throws where it is of another system. */
  ofURL(url: URL): string;
  toURL(path: string): string;
}
