/**
 * What a chat needs from the machine it runs on: a transport to its agent, and what the
 * agent may use here.
 *
 * An extension host starts the agent, and gives it files and terminals (`thisMachine.ts`). A
 * page connects to an agent over the network, and has neither.
 */
import type { ClientCapabilities, Implementation, Stream } from "@agentclientprotocol/sdk";

import type { Command } from "./command.js";
import type { Editor } from "./editor.js";
import type { Files } from "./files.js";
import type { RunningTerminal, Terminals } from "./terminals.js";

/** The other end of a connection. */
export interface Transport {
  readonly stream: Stream;
  /** Resolves when it is gone and all of its output was read. */
  readonly ended: Promise<Ending>;
  /** Its last output outside the protocol, such as stderr. */
  readonly errors: string;
  /** Ends it; resolves when it is gone. */
  stop(): Promise<void>;
}

/** How a transport ended, in words for the user. */
export interface Ending {
  /** For example "The agent stopped (exit status 3)." */
  what: string;
  /** If the transport never started, the reason. */
  fault?: string;
  /** Set if it was a program on this machine; `crashed` if a signal ended it, such as SIGSEGV. */
  program?: "exited" | "crashed";
}

export interface Machine {
  /** This client's name and capabilities. Each capability is implemented in `serve.ts`. */
  readonly client: Omit<Implementation, "version">;
  readonly capabilities: ClientCapabilities;
  /** Sessions of all folders are listed, because there is no workspace. */
  readonly everyFolder: boolean;
  /** Somebody reopens the chat if its connection is lost. */
  readonly reconnects: boolean;
  /**
   * Starts an agent or connects to one. Throws an error with a message for the user.
   * `needed` is the required version of Turnwire.
   */
  launch(command: Command, cwd: string, onErrors: (text: string) => void, needed: string): { transport: Transport; command: Command };
  /** The files the agent may read and write; undefined if it has no files here. */
  files(editor: Editor): Pick<Files, "read" | "write"> | undefined;
  terminals(begun: (terminal: RunningTerminal) => void): Pick<Terminals, "create" | "output" | "waitForExit" | "kill" | "release" | "releaseAll"> | undefined;
  readonly paths: Paths;
}

/** Paths by the rules of their machine. */
export interface Paths {
  base(path: string): string;
  /** The path relative to its folder; undefined if no folder contains it. */
  relativeTo(folders: readonly string[], path: string): string | undefined;
  /** Whether it is in one of the folders after following all links. */
  isInside(path: string, folders: readonly string[]): Promise<boolean>;
  /** Converts a file: URI; throws if it belongs to another system. */
  ofURL(url: URL): string;
  toURL(path: string): string;
}
