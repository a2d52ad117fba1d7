/** The extension host's machine. */
import { basename } from "node:path";
import { Readable, Writable } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";

import { ndJsonStream } from "@agentclientprotocol/sdk";

import { capabilities } from "./capabilities.js";
import { FixableError } from "./fixes.js";
import type { Command } from "./command.js";
import { Files, isInside, relativeTo } from "./files.js";
import type { Ending, Transport, Machine } from "./machine.js";
import { AgentProcess, exitStatus } from "./process.js";
import { findProgram, here } from "./program.js";
import { notFound } from "./startFailure.js";
import { Terminals } from "./terminals.js";

export const thisMachine: Machine = {
  client: { name: "turnwire-vscode", title: "Turnwire for VS Code" },
  capabilities,
  everyFolder: false,
  reconnects: false,
  launch(command, cwd, onErrors, needed) {
    const program = findProgram(command.command, here({ ...process.env, ...command.env }));
    if (program === undefined) throw new FixableError(notFound(command.command, needed), "install", "settings", "again");
    const found = { ...command, command: program };
    return { transport: new ProcessTransport(new AgentProcess(found, cwd, onErrors), command, needed), command: found };
  },
  files: (editor) => new Files(editor),
  terminals: (begun) => new Terminals(begun),
  paths: { base: basename, relativeTo, isInside, ofURL: (url) => fileURLToPath(url), toURL: (path) => pathToFileURL(path).href },
};

class ProcessTransport implements Transport {
  readonly stream: Transport["stream"];
  readonly ended: Promise<Ending>;
  readonly #process: AgentProcess;

  constructor(child: AgentProcess, command: Command, needed: string) {
    this.#process = child;
    const { stdin, stdout } = child.child;
    this.stream = ndJsonStream(Writable.toWeb(stdin) as WritableStream<Uint8Array>, Readable.toWeb(stdout) as ReadableStream<Uint8Array>);
    this.ended = child.exited.then((exit) => ({
      what: `The agent stopped (${exitStatus(exit)}).`,
      ...(exit.error ? { fault: notStarted(exit.error, command, needed) } : {}),
      program: exit.signal === null ? "exited" : "crashed",
    }));
  }

  get errors(): string {
    return this.#process.errors;
  }

  stop(): Promise<void> {
    return this.#process.stop();
  }
}

function notStarted(error: Error, { command }: Command, needed: string): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return notFound(command, needed);
  if (code === "EACCES") return `${command} is not executable. Check its permissions or the turnwire.command setting.`;
  return `${command} is broken or is not Turnwire: this extension needs Turnwire ${needed} or later.\n${error.message}`;
}
