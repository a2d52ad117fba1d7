/**
 * Connects a page to an agent: a WebSocket to the page's server, with one
 * message per frame.
 */
import type { AnyMessage } from "@agentclientprotocol/sdk";

import type { Ending, Transport } from "../chat/machine.js";

/** Milliseconds to wait for the closing handshake of an unreachable server. */
const farewell = 1_000;

export class SocketTransport implements Transport {
  readonly stream: Transport["stream"];
  readonly ended: Promise<Ending>;
  readonly errors = "";
  readonly #socket: WebSocket;
  #stopped = false;
  #end: () => void = () => {};

  /** Calls `lost` if the connection ends without being stopped. */
  constructor(path: string, lost: () => void) {
    const url = new URL(path, location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url);
    this.#socket = socket;
    let begun = false;
    const open = new Promise<void>((resolve, reject) => {
      socket.addEventListener("open", () => {
        begun = true;
        resolve();
      });
      socket.addEventListener("close", () => reject(new Error("the connection was lost")));
    });
    open.catch(() => {}); // the end is reported below
    const writable = new WritableStream<AnyMessage>({
      write: async (message) => {
        await open;
        // After the end, messages must not reach anybody.
        if (!this.#stopped && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
      },
    });
    const readable = new ReadableStream<AnyMessage>({
      start: (controller) => {
        let closed = false;
        socket.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
          const message = closed ? undefined : read(data);
          if (message) controller.enqueue(message);
        });
        this.#end = () => {
          if (!closed) controller.close();
          closed = true;
        };
      },
      cancel: () => {
        this.#end = () => {};
        socket.close();
      },
    });
    this.stream = { readable, writable };
    this.ended = new Promise((resolve) => {
      const end = (): void => {
        this.#end();
        resolve({
          what: "The connection to the server was lost. Sessions keep running there.",
          ...(begun || this.#stopped ? {} : { fault: "The server cannot be reached." }),
        });
      };
      socket.addEventListener("close", () => {
        end();
        if (!this.#stopped) lost();
      });
      this.#abandon = end;
    });
  }

  #abandon: () => void = () => {};

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#socket.close();
    const timer = setTimeout(this.#abandon, farewell);
    await this.ended;
    clearTimeout(timer);
  }
}

/** Parses a message; returns undefined if it isn't one. */
function read(data: unknown): AnyMessage | undefined {
  if (typeof data !== "string") return undefined;
  try {
    const message: unknown = JSON.parse(data);
    return typeof message === "object" && message !== null && !Array.isArray(message) ? (message as AnyMessage) : undefined;
  } catch {
    return undefined;
  }
}
