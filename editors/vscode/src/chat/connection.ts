/**
 * The connection to one agent: its process, and the official client on its pipes.
 *
 * Updates are handed on in the order of the wire, before the answer to the prompt
 * that they belong to. A connection ends once, for whatever reason, and then stops
 * the process with all that it has started.
 */
import { Readable, Writable } from "node:stream";

import * as acp from "@agentclientprotocol/sdk";

import { capabilities } from "./capabilities.js";
import { AgentProcess, type Command } from "./process.js";
import { findProgram, here } from "./program.js";
import { SecretAnswers } from "./secrets.js";

export interface Handlers {
  update(notification: acp.SessionNotification): void;
  /** A `_turnwire/event` notification, as it came. */
  event(params: unknown): void;
  permission(request: acp.RequestPermissionRequest, signal: AbortSignal): Promise<acp.RequestPermissionResponse>;
  elicitation(request: acp.CreateElicitationRequest, signal: AbortSignal): Promise<acp.CreateElicitationResponse>;
  readTextFile(request: acp.ReadTextFileRequest): Promise<acp.ReadTextFileResponse>;
  writeTextFile(request: acp.WriteTextFileRequest): Promise<acp.WriteTextFileResponse>;
  createTerminal(request: acp.CreateTerminalRequest, signal: AbortSignal): Promise<acp.CreateTerminalResponse>;
  terminalOutput(request: acp.TerminalOutputRequest): Promise<acp.TerminalOutputResponse>;
  waitForTerminalExit(request: acp.WaitForTerminalExitRequest): Promise<acp.WaitForTerminalExitResponse>;
  killTerminal(request: acp.KillTerminalRequest): Promise<acp.KillTerminalResponse>;
  releaseTerminal(request: acp.ReleaseTerminalRequest): Promise<acp.ReleaseTerminalResponse>;
}

/** Writes a log of what goes over the wire; asked each time, so that it can be switched on. */
export type Traffic = (direction: "→" | "←" | "!", text: () => string) => void;

export interface ConnectionOptions {
  command: Command;
  cwd: string;
  version: string;
  traffic: Traffic;
  handlers: Handlers;
  /** Ends the connection, also while it is yet to be. */
  signal: AbortSignal;
  /** How long an agent may take to say what it can. */
  startTimeout?: number;
}

/** How long an agent may take to say again what it can. */
const patience = 5_000;

export class Connection {
  readonly agent: acp.ClientContext;
  readonly initialized: acp.InitializeResponse;
  /** How the agent was started. */
  readonly command: Command;
  /** Resolves when the process is gone; says why, in words for a person. */
  readonly ended: Promise<string>;
  readonly #process: AgentProcess;
  readonly #connection: acp.ClientConnection;
  readonly #said: Said;
  readonly #version: string;

  private constructor(child: AgentProcess, command: Command, connection: acp.ClientConnection, initialized: acp.InitializeResponse, said: Said, version: string) {
    this.#process = child;
    this.#connection = connection;
    this.command = command;
    this.#said = said;
    this.#version = version;
    this.agent = connection.agent;
    this.initialized = initialized;
    this.ended = connection.closed.then(async () => {
      const exit = await child.exited;
      return died(connection.signal.reason, exit, child.errors);
    });
  }

  /** Starts an agent. What fails is said in words for a person. */
  static async open(options: ConnectionOptions): Promise<Connection> {
    const { command, cwd, traffic, handlers, signal, startTimeout = 30_000 } = options;
    const program = findProgram(command.command, here({ ...process.env, ...command.env }));
    if (program === undefined) throw new Error(notFound(command.command));
    const child = new AgentProcess({ ...command, command: program }, cwd, (text) => traffic("!", () => text));
    const said: Said = {};
    const connection = client(handlers).connect(tap(pipes(child), traffic, (answer) => {
      const result = "result" in answer ? (answer.result as Said | null) : undefined;
      if (result?.authMethods !== undefined) said.authMethods = result.authMethods;
      if (result?.agentCapabilities !== undefined) said.agentCapabilities = result.agentCapabilities;
    }));
    void connection.closed.then(() => child.stop());
    // One that was never started has no output whose end would tell.
    void child.exited.then((exit) => exit.error && connection.close());
    const abort = (): void => connection.close(new Error("It was stopped while it started."));
    signal.addEventListener("abort", abort, { once: true });
    void connection.closed.then(() => signal.removeEventListener("abort", abort));
    if (signal.aborted) abort();
    try {
      const initialized = await Promise.race([
        greet(connection.agent, options.version),
        late(startTimeout, child.exited),
      ]);
      if (initialized.protocolVersion !== acp.PROTOCOL_VERSION) {
        const { protocolVersion: theirs } = initialized;
        throw new Error(`It speaks version ${theirs} of the Agent Client Protocol, and this extension version ${acp.PROTOCOL_VERSION}.`);
      }
      return new Connection(child, { ...command, command: program }, connection, initialized, said, options.version);
    } catch (error) {
      connection.close();
      throw await startFailure(error, child, command);
    }
  }

  get isClosed(): boolean {
    return this.#connection.signal.aborted;
  }

  /** The ways to log in, as the agent has said them. */
  get authMethods(): unknown {
    return this.#said.authMethods;
  }

  /** Whether a session can be given a title, which the protocol does not have yet. */
  get takesTitles(): boolean {
    const { sessionCapabilities: can } = (this.#said.agentCapabilities ?? {}) as { sessionCapabilities?: { title?: unknown } | null };
    return typeof can?.title === "object" && can.title !== null;
  }

  /** Asks the agent once more what it can, for its ways to log in. */
  async greetAgain(): Promise<void> {
    await Promise.race([greet(this.agent, this.#version), late(patience, this.ended)]);
  }

  /** Aborted when the connection has ended. */
  get signal(): AbortSignal {
    return this.#connection.signal;
  }

  /** Ends the connection; resolves when the process is gone. */
  async close(): Promise<void> {
    // The end of its input asks the agent to go; it may still say something.
    await this.#process.stop();
    this.#connection.close();
  }
}

/** What the library leaves out of an answer to `initialize`. */
interface Said {
  authMethods?: unknown;
  agentCapabilities?: unknown;
}

function greet(agent: acp.ClientContext, version: string): Promise<acp.InitializeResponse> {
  return agent.request(acp.methods.agent.initialize, {
    protocolVersion: acp.PROTOCOL_VERSION,
    clientCapabilities: capabilities,
    clientInfo: { name: "turnwire-vscode", title: "Turnwire for VS Code", version },
  });
}

function pipes(child: AgentProcess): acp.Stream {
  const { stdin, stdout } = child.child;
  return acp.ndJsonStream(
    Writable.toWeb(stdin) as WritableStream<Uint8Array>,
    Readable.toWeb(stdout) as ReadableStream<Uint8Array>,
  );
}

/** The same stream, with a log of what goes through it; `answered` is told of each answer. */
function tap(stream: acp.Stream, traffic: Traffic, answered: (answer: acp.AnyMessage) => void): acp.Stream {
  const secrets = new SecretAnswers();
  const log = (direction: "→" | "←"): TransformStream<acp.AnyMessage, acp.AnyMessage> =>
    new TransformStream({
      transform(message, controller) {
        if (direction === "←") {
          secrets.asked(message);
          if (!("method" in message)) answered(message);
        }
        const shown = direction === "→" ? secrets.masked(message) : message;
        traffic(direction, () => JSON.stringify(shown));
        controller.enqueue(message);
      },
    });
  const out = log("→");
  out.readable.pipeTo(stream.writable).catch(() => {}); // a broken pipe ends the connection by itself
  return { writable: out.writable, readable: stream.readable.pipeThrough(log("←")) };
}

function client(h: Handlers): acp.ClientApp {
  const { client: methods } = acp.methods;
  return (
    acp
      .client({ name: "turnwire-vscode" })
      // First, because it is then called before the answer behind it is looked at.
      .onNotification(methods.session.update, ({ params }) => h.update(params))
      .onNotification("_turnwire/event", (params: unknown) => params, ({ params }) => h.event(params))
      .onRequest(methods.session.requestPermission, ({ params, signal }) => h.permission(params, signal))
      .onRequest(methods.elicitation.create, ({ params, signal }) => h.elicitation(params, signal))
      .onRequest(methods.fs.readTextFile, ({ params }) => h.readTextFile(params))
      .onRequest(methods.fs.writeTextFile, ({ params }) => h.writeTextFile(params))
      .onRequest(methods.terminal.create, ({ params, signal }) => h.createTerminal(params, signal))
      .onRequest(methods.terminal.output, ({ params }) => h.terminalOutput(params))
      .onRequest(methods.terminal.waitForExit, ({ params }) => h.waitForTerminalExit(params))
      .onRequest(methods.terminal.kill, ({ params }) => h.killTerminal(params))
      .onRequest(methods.terminal.release, ({ params }) => h.releaseTerminal(params))
  );
}

/** Rejects when the time is over, and leaves no timer behind. */
function late(timeout: number, until: Promise<unknown>): Promise<never> {
  return new Promise((_, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`It did not say what it can do within ${timeout / 1000} seconds.`)),
      timeout,
    );
    void until.then(() => clearTimeout(timer));
  });
}

async function startFailure(error: unknown, child: AgentProcess, { command }: Command): Promise<Error> {
  await child.stop();
  const exit = await child.exited;
  if (exit.error) return new Error(notStarted(exit.error, command));
  const why = error instanceof acp.RequestError || !isClosed(error) ? errorText(error) : exitText(exit);
  return new Error(`${command} could not be used. ${why}${child.errors ? `\n\nIt wrote:\n${child.errors}` : ""}`);
}

function notStarted(error: Error, command: string): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return notFound(command);
  if (code === "EACCES") return `${command} may not be executed. Check its permissions, or the setting turnwire.command.`;
  return `${command} could not be started: ${error.message}`;
}

const notFound = (command: string): string =>
  `${command} was not found. Install Turnwire, or set the path of its binary in the setting turnwire.command.`;

const isClosed = (error: unknown): boolean => error instanceof Error && error.message === "ACP connection closed";

function died(reason: unknown, exit: { code: number | null; signal: string | null }, errors: string): string {
  const why = reason !== undefined && !isClosed(reason) ? errorText(reason) : exitText(exit);
  return `The agent has stopped. ${why}${errors ? `\n\nIt wrote:\n${errors}` : ""}`;
}

function exitText({ code, signal }: { code: number | null; signal: string | null }): string {
  if (signal) return `It was ended by ${signal}.`;
  return code === 0 ? "It has ended by itself." : `It has ended with exit code ${code}.`;
}

/** What went wrong, in words: the details of an answer say more than its message. */
export function errorText(error: unknown): string {
  if (error instanceof acp.RequestError) {
    const { data } = error;
    const details = typeof data === "object" && data !== null && "details" in data ? data.details : undefined;
    return typeof details === "string" && details !== "" ? details : error.message;
  }
  return error instanceof Error ? error.message : String(error);
}
