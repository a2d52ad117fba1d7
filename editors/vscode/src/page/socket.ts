/**
 * The way from a page to an agent: a WebSocket to the server that has served the
 * page, with one message in each frame.
 */
import type { AnyMessage } from "@agentclientprotocol/sdk";

import type { Ending, Link } from "../chat/machine.js";

/** How long a server that is not there may take to say goodbye. */
const farewell = 1_000;

export class SocketLink implements Link {
  readonly stream: Link["stream"];
  readonly ended: Promise<Ending>;
  readonly errors = "";
  readonly #socket: WebSocket;
  #stopped = false;
  #end: () => void = () => {};

  /** `lost` is told when it ends without having been stopped. */
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
    open.catch(() => {}); // that it ends is told below
    const writable = new WritableStream<AnyMessage>({
      write: async (message) => {
        await open;
        // What is said after the end must not reach anybody.
        if (!this.#stopped && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
      },
    });
    const readable = new ReadableStream<AnyMessage>({
      start: (controller) => {
        let over = false;
        socket.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
          const message = over ? undefined : read(data);
          if (message) controller.enqueue(message);
        });
        this.#end = () => {
          if (!over) controller.close();
          over = true;
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
          what: "The connection to the server was lost.",
          how: "What runs there goes on.",
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

/** A message, if it is one. */
function read(data: unknown): AnyMessage | undefined {
  if (typeof data !== "string") return undefined;
  try {
    const message: unknown = JSON.parse(data);
    return typeof message === "object" && message !== null && !Array.isArray(message) ? (message as AnyMessage) : undefined;
  } catch {
    return undefined;
  }
}
