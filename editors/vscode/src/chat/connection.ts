/**
 * The connection to one agent: the way to it, and the official client on that.
 *
 * Updates are handed on in the order of the wire, before the answer to the prompt
 * that they belong to. A connection ends once, for whatever reason, and then stops
 * the other end with all that it has started.
 */
import * as acp from "@agentclientprotocol/sdk";

import type { Command } from "./command.js";
import { Curable } from "./cures.js";
import type { Ending, Link, Machine } from "./machine.js";
import { SecretAnswers } from "./secrets.js";
import { TurnNews, turnsMethod, type TurnsOfOthers } from "./turnNews.js";

export interface Handlers {
  update(notification: acp.SessionNotification): void;
  /** A `_turnwire/event` notification, as it came. */
  event(params: unknown): void;
  /** Turns of a session that several front ends share. */
  turns(news: TurnsOfOthers): void;
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
  machine: Machine;
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
  /** Resolves when the other end is gone; says why, in words for a person. */
  readonly ended: Promise<string>;
  readonly #link: Link;
  readonly #connection: acp.ClientConnection;
  readonly #said: Said;
  readonly #greet: () => Promise<acp.InitializeResponse>;

  private constructor(link: Link, command: Command, connection: acp.ClientConnection, initialized: acp.InitializeResponse, said: Said, greet: () => Promise<acp.InitializeResponse>) {
    this.#link = link;
    this.#connection = connection;
    this.command = command;
    this.#said = said;
    this.#greet = greet;
    this.agent = connection.agent;
    this.initialized = initialized;
    this.ended = connection.closed.then(async () => died(connection.signal.reason, await link.ended, link.errors));
  }

  /** Starts an agent. What fails is said in words for a person. */
  static async open(options: ConnectionOptions): Promise<Connection> {
    const { machine, cwd, traffic, handlers, signal, startTimeout = 30_000 } = options;
    const { link, command } = machine.launch(options.command, cwd, (text) => traffic("!", () => text));
    const said: Said = {};
    const connection = client(machine.client.name, handlers).connect(tap(link.stream, traffic, (answer) => {
      const result = "result" in answer ? (answer.result as Said | null) : undefined;
      if (result?.authMethods !== undefined) said.authMethods = result.authMethods;
      if (result?.agentCapabilities !== undefined) said.agentCapabilities = result.agentCapabilities;
    }));
    void connection.closed.then(() => link.stop());
    // One that was never started has no output whose end would tell.
    void link.ended.then((end) => end.fault !== undefined && connection.close());
    const abort = (): void => connection.close(new Error("It was stopped while it started."));
    signal.addEventListener("abort", abort, { once: true });
    void connection.closed.then(() => signal.removeEventListener("abort", abort));
    if (signal.aborted) abort();
    const greet = (): Promise<acp.InitializeResponse> => greeting(connection.agent, machine, options.version);
    try {
      const initialized = await Promise.race([greet(), late(startTimeout, link.ended)]);
      if (initialized.protocolVersion !== acp.PROTOCOL_VERSION) {
        const { protocolVersion: theirs } = initialized;
        throw new Error(`It speaks version ${theirs} of the Agent Client Protocol, and this extension version ${acp.PROTOCOL_VERSION}.`);
      }
      return new Connection(link, command, connection, initialized, said, greet);
    } catch (error) {
      connection.close();
      throw await startFailure(error, link, options.command);
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
    await Promise.race([this.#greet(), late(patience, this.ended)]);
  }

  /** Aborted when the connection has ended. */
  get signal(): AbortSignal {
    return this.#connection.signal;
  }

  /** Ends the connection; resolves when the other end is gone. */
  async close(): Promise<void> {
    // The end of its input asks the agent to go; it may still say something.
    await this.#link.stop();
    this.#connection.close();
  }
}

/** What the library leaves out of an answer to `initialize`. */
interface Said {
  authMethods?: unknown;
  agentCapabilities?: unknown;
}

function greeting(agent: acp.ClientContext, { capabilities, client }: Machine, version: string): Promise<acp.InitializeResponse> {
  return agent.request(acp.methods.agent.initialize, {
    protocolVersion: acp.PROTOCOL_VERSION,
    clientCapabilities: capabilities,
    clientInfo: { ...client, version },
  });
}

/** The same stream, with a log of what goes through it; `answered` is told of each answer. */
function tap(stream: acp.Stream, traffic: Traffic, answered: (answer: acp.AnyMessage) => void): acp.Stream {
  const secrets = new SecretAnswers();
  const news = new TurnNews();
  const log = (direction: "→" | "←"): TransformStream<acp.AnyMessage, acp.AnyMessage> =>
    new TransformStream({
      transform(message, controller) {
        if (direction === "←") {
          secrets.asked(message);
          if (!("method" in message)) answered(message);
        }
        const shown = direction === "→" ? secrets.masked(message) : message;
        traffic(direction, () => JSON.stringify(shown));
        for (const m of direction === "←" ? news.read(message) : [message]) controller.enqueue(m);
      },
    });
  const out = log("→");
  out.readable.pipeTo(stream.writable).catch(() => {}); // a broken pipe ends the connection by itself
  return { writable: out.writable, readable: stream.readable.pipeThrough(log("←")) };
}

function client(name: string, h: Handlers): acp.ClientApp {
  const { client: methods } = acp.methods;
  return (
    acp
      .client({ name })
      // First, because it is then called before the answer behind it is looked at.
      .onNotification(methods.session.update, ({ params }) => h.update(params))
      .onNotification("_turnwire/event", (params: unknown) => params, ({ params }) => h.event(params))
      .onNotification(turnsMethod, (params: unknown) => params as TurnsOfOthers, ({ params }) => h.turns(params))
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

async function startFailure(error: unknown, link: Link, { command }: Command): Promise<Error> {
  await link.stop();
  const end = await link.ended;
  if (end.fault !== undefined) return new Curable(end.fault, "install", "settings", "again");
  const why = error instanceof acp.RequestError || !isClosed(error) ? errorText(error) : end.how;
  return new Curable(`${command} could not be used. ${why}${link.errors ? `\n\nIt wrote:\n${link.errors}` : ""}`, "log", "settings", "again");
}

const isClosed = (error: unknown): boolean => error instanceof Error && error.message === "ACP connection closed";

function died(reason: unknown, { what, how }: Ending, errors: string): string {
  const why = reason !== undefined && !isClosed(reason) ? errorText(reason) : how;
  return `${what} ${why}${errors ? `\n\nIt wrote:\n${errors}` : ""}`;
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
