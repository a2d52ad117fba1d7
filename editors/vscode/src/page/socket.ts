/** Connects a page to an agent: a resumable connection to the page's server. */
import type { AnyMessage } from "@agentclientprotocol/sdk";

import type { Ending, Transport } from "../chat/machine.js";
import { OpenRequests, parse, sessionOf } from "./openRequests.js";
import { ResumableConnection } from "./resumable.js";

/** Milliseconds after which a cancelled prompt ends if the server can't be reached. */
const cancelGrace = 3_000;

export interface SocketEvents {
  /** The server can't be reached; `retry` tries again now. */
  lost(retry: () => void): void;
  /** The server can be reached again. */
  back(): void;
  /**
   * The tool calls whose permission requests were answered, but whose answers the
   * server has not received, and the number of such answers to questions. Those are
   * the last ones.
   */
  unsent(toolCallIds: ReadonlySet<string>, questions: number): void;
  /** The answers to these calls' requests became refusals, because the turn was cancelled before the server had them. */
  refused(toolCallIds: ReadonlySet<string>): void;
  /** The connection ended, but nobody stopped it. */
  ended(): void;
}

export class SocketTransport implements Transport {
  readonly stream: Transport["stream"];
  readonly ended: Promise<Ending>;
  readonly errors = "";
  readonly #connection: ResumableConnection;
  readonly #events: SocketEvents;
  readonly #requests = new OpenRequests();
  /** The messages that replaced permissions. */
  readonly #refusals = new Set<string>();
  #enqueue: (message: AnyMessage) => void = () => {};
  #stopped = false;

  constructor(path: string, events: SocketEvents) {
    this.#events = events;
    const url = new URL(path, location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    let close = (): void => {};
    const readable = new ReadableStream<AnyMessage>({
      start: (controller) => {
        this.#enqueue = (message) => controller.enqueue(message);
        close = () => controller.close();
      },
      cancel: () => {
        close = () => {};
        this.#enqueue = () => {};
        this.#connection.close();
      },
    });
    let end: (ending: Ending) => void;
    this.ended = new Promise((resolve) => (end = resolve));
    const connection = new ResumableConnection(url, {
      received: (text) => {
        const message = parse(text);
        if (message && this.#requests.received(message)) this.#enqueue(message);
      },
      lost: () => {
        events.lost(() => connection.retry());
        this.#showUnsent();
        this.#endCancelledSoon();
      },
      back: () => {
        events.back();
        this.#showRefusals();
        this.#showUnsent();
      },
      acknowledged: () => this.#showUnsent(),
      ended: (begun) => {
        close();
        this.#enqueue = () => {};
        end({
          what: "The connection to the server was lost. Sessions keep running there.",
          ...(begun || this.#stopped ? {} : { fault: "The server cannot be reached." }),
        });
        if (!this.#stopped) events.ended();
      },
    });
    this.#connection = connection;
    const writable = new WritableStream<AnyMessage>({
      write: (message) => {
        this.#requests.sent(message);
        if ("method" in message && message.method === "session/cancel") this.#cancelled(sessionOf(message.params));
        connection.send(JSON.stringify(message));
        if (connection.isLost) this.#showUnsent();
      },
    });
    this.stream = { readable, writable };
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#connection.close();
    await this.ended;
  }

  /** Handles the cancel of a session's turn, which must not wait for the server. */
  #cancelled(session: unknown): void {
    this.#requests.cancelled(session);
    this.#connection.amend((text) => {
      const refusal = this.#requests.refusal(text, session);
      if (refusal !== text) this.#refusals.add(refusal);
      return refusal;
    });
    if (this.#connection.isLost) {
      this.#showRefusals();
      this.#endCancelledSoon();
    }
  }

  #endCancelledSoon(): void {
    setTimeout(() => {
      if (this.#connection.isLost) this.#requests.endCancelled().forEach(this.#enqueue);
    }, cancelGrace);
  }

  /** Shows the refusals that the server gets instead of permissions. */
  #showRefusals(): void {
    this.#events.refused(this.#requests.calls(this.#connection.unsent.filter((text) => this.#refusals.has(text))));
  }

  #showUnsent(): void {
    const unsent = this.#connection.isLost ? this.#connection.unsent : [];
    this.#events.unsent(this.#requests.calls(unsent), this.#requests.answers(unsent));
  }
}
