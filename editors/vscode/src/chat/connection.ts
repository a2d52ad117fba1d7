/**
 * The connection to one agent: a transport to it, and the official ACP client on top.
 *
 * Updates are delivered in wire order, before the response to their prompt. A
 * connection ends once, whatever the reason, and then stops the other end and
 * everything that it started.
 */
import * as acp from "@agentclientprotocol/sdk";

import type { Command } from "./command.js";
import { readCursor } from "./cursors.js";
import type { Ending, Transport, Machine } from "./machine.js";
import { errorText } from "./rpcError.js";
import { isClosed, startFailure } from "./startFailure.js";
import { SecretAnswers } from "./secrets.js";
import { SteeringReader } from "./steeringReader.js";
import { decidedMethod, SharedTurnReader, turnsMethod, type SharedDecision, type SharedTurnEvent } from "./sharedTurns.js";

export interface Handlers {
  update(notification: acp.SessionNotification): void;
  /** A `_turnwire/event` notification, with its params unchanged. */
  event(params: unknown): void;
  /** Turns of a session that several clients share. */
  turns(news: SharedTurnEvent): void;
  /** A permission of such a session was decided in another client. */
  decided(decision: SharedDecision): void;
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

/**
 * Logs the wire traffic. It is called for each message, so that logging can be
 * switched on at any time.
 */
export type Traffic = (direction: "→" | "←" | "!", text: () => string) => void;

export interface ConnectionOptions {
  machine: Machine;
  command: Command;
  cwd: string;
  version: string;
  traffic: Traffic;
  handlers: Handlers;
  /** Ends the connection, even while it is being opened. */
  signal: AbortSignal;
  /** Milliseconds the agent has to answer `initialize`. */
  startTimeout?: number;
}

/** Milliseconds the agent has to answer a repeated `initialize`. */
const patience = 5_000;

export class Connection {
  readonly agent: acp.ClientContext;
  readonly initialized: acp.InitializeResponse;
  /** The command that started the agent. */
  readonly command: Command;
  /** Resolves when the other end is gone, with the reason for the user. */
  readonly ended: Promise<string>;
  readonly #transport: Transport;
  readonly #connection: acp.ClientConnection;
  readonly #announced: Announced;
  readonly #greet: () => Promise<acp.InitializeResponse>;

  private constructor(transport: Transport, command: Command, connection: acp.ClientConnection, initialized: acp.InitializeResponse, announced: Announced, greet: () => Promise<acp.InitializeResponse>) {
    this.#transport = transport;
    this.#connection = connection;
    this.command = command;
    this.#announced = announced;
    this.#greet = greet;
    this.agent = connection.agent;
    this.initialized = initialized;
    this.ended = connection.closed.then(async () => died(connection.signal.reason, await transport.ended, transport.errors));
  }

  /** Starts an agent. Errors have messages for the user. */
  static async open(options: ConnectionOptions): Promise<Connection> {
    const { machine, cwd, traffic, handlers, signal, startTimeout = 60_000 } = options;
    const { transport, command } = machine.launch(options.command, cwd, (text) => traffic("!", () => text), options.version);
    const announced: Announced = {};
    const connection = client(machine.client.name, handlers).connect(tap(transport.stream, traffic, (answer) => {
      const result = "result" in answer ? (answer.result as Announced | null) : undefined;
      if (result?.authMethods !== undefined) announced.authMethods = result.authMethods;
      if (result?.agentCapabilities !== undefined) announced.agentCapabilities = result.agentCapabilities;
    }));
    void connection.closed.then(() => transport.stop());
    // A transport that never started has no output whose EOF could close the
    // connection.
    void transport.ended.then((end) => end.fault !== undefined && connection.close());
    const abort = (): void => connection.close(new Error("It was stopped during startup."));
    signal.addEventListener("abort", abort, { once: true });
    void connection.closed.then(() => signal.removeEventListener("abort", abort));
    if (signal.aborted) abort();
    const greet = (): Promise<acp.InitializeResponse> => greeting(connection.agent, machine, options.version);
    try {
      const initialized = await Promise.race([greet(), late(startTimeout, transport.ended)]);
      if (initialized.protocolVersion !== acp.PROTOCOL_VERSION) {
        const { protocolVersion: theirs } = initialized;
        throw new Error(`It uses version ${theirs} of the Agent Client Protocol; this extension requires version ${acp.PROTOCOL_VERSION}.`);
      }
      return new Connection(transport, command, connection, initialized, announced, greet);
    } catch (error) {
      connection.close();
      throw await startFailure(error, transport, options.command, options.version);
    }
  }

  get isClosed(): boolean {
    return this.#connection.signal.aborted;
  }

  /** The agent's login methods as it sent them. */
  get authMethods(): unknown {
    return this.#announced.authMethods;
  }

  /** Whether sessions can be renamed. The protocol doesn't define this yet. */
  get takesTitles(): boolean {
    const { sessionCapabilities: can } = (this.#announced.agentCapabilities ?? {}) as { sessionCapabilities?: { title?: unknown } | null };
    return typeof can?.title === "object" && can.title !== null;
  }

  /** Sends `initialize` again, for the agent's current login methods. */
  async greetAgain(): Promise<void> {
    await Promise.race([this.#greet(), late(patience, this.ended)]);
  }

  /** Aborted when the connection has ended. */
  get signal(): AbortSignal {
    return this.#connection.signal;
  }

  /** Ends the connection; resolves when the other end is gone. */
  async close(): Promise<void> {
    // EOF on stdin asks the agent to exit. It may still send messages.
    await this.#transport.stop();
    this.#connection.close();
  }
}

/** Members of the initialize response that the library drops. */
interface Announced {
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

/** Returns the stream with its traffic logged; calls `answered` with each response. */
function tap(stream: acp.Stream, traffic: Traffic, answered: (answer: acp.AnyMessage) => void): acp.Stream {
  const secrets = new SecretAnswers();
  const news = new SharedTurnReader();
  const steering = new SteeringReader();
  const log = (direction: "→" | "←"): TransformStream<acp.AnyMessage, acp.AnyMessage> =>
    new TransformStream({
      transform(message, controller) {
        if (direction === "←") {
          secrets.asked(message);
          if (!("method" in message)) answered(message);
        }
        const shown = direction === "→" ? secrets.masked(message) : message;
        traffic(direction, () => JSON.stringify(shown));
        if (direction === "→") steering.sends(message);
        for (const m of direction === "←" ? news.read(readCursor(message)).flatMap((one) => steering.read(one)) : [message]) controller.enqueue(m);
      },
    });
  const out = log("→");
  out.readable.pipeTo(stream.writable).catch(() => {}); // a broken pipe ends the connection anyway
  return { writable: out.writable, readable: stream.readable.pipeThrough(log("←")) };
}

function client(name: string, h: Handlers): acp.ClientApp {
  const { client: methods } = acp.methods;
  return (
    acp
      .client({ name })
      // Register this first, so that it is called before a later response is
      // handled.
      .onNotification(methods.session.update, ({ params }) => h.update(params))
      .onNotification("_turnwire/event", (params: unknown) => params, ({ params }) => h.event(params))
      .onNotification(turnsMethod, (params: unknown) => params as SharedTurnEvent, ({ params }) => h.turns(params))
      .onNotification(decidedMethod, (params: unknown) => params as SharedDecision, ({ params }) => h.decided(params))
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

/** Rejects after the timeout; clears its timer when `until` resolves. */
function late(timeout: number, until: Promise<unknown>): Promise<never> {
  return new Promise((_, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`It did not respond within ${timeout / 1000} seconds.`)),
      timeout,
    );
    void until.then(() => clearTimeout(timer));
  });
}

function died(reason: unknown, { what }: Ending, errors: string): string {
  const why = reason !== undefined && !isClosed(reason) ? ` ${errorText(reason)}` : "";
  return `${what}${why}${errors ? `\n\nError output:\n${errors}` : ""}`;
}
