/**
 * A connection that outlives its WebSockets, by the subprotocol
 * `turnwire.resumable.v1` (docs/acp.md). Both sides count the messages they
 * received. After a reconnect, each sends what the other one has missed, so that
 * nothing is lost or repeated.
 */
export interface Listener {
  /** Called once for each message of the server, in order. */
  received(text: string): void;
  /** The server can't be reached. The connection is restored in the background. */
  lost(): void;
  /** The connection is restored. */
  back(): void;
  /** The server received messages that were sent while it could not be reached. */
  acknowledged(): void;
  /** The connection is over. `begun`: it was established. */
  ended(begun: boolean): void;
}

const subprotocol = "turnwire.resumable.v1";

/**
 * Milliseconds between heartbeats, and how long the server may be silent. The latter is
 * checked more often, so that the user knows within ten seconds.
 */
const heartbeat = 4_000;
const silence = 8_000;
const check = 1_000;

const firstPause = 100;
const longestPause = 2_000;

/** After how many messages, or characters, the server is told what arrived. */
const reportMessages = 64;
const reportSize = 64 << 10;

/** The server's reasons to close a connection for good: done, going away, a revoked token, unknown. */
const final = new Set([1000, 1001, 1008, 4409]);

interface Control {
  hello?: { connection?: string };
  received: number;
  bye?: boolean;
}

export class ResumableConnection {
  readonly #url: URL;
  readonly #listener: Listener;
  readonly #beat: ReturnType<typeof setInterval>;
  readonly #listening = new AbortController();
  #socket: WebSocket | undefined;
  /** Set once the server has greeted this socket. */
  #open = false;
  #id = "";
  #received = 0;
  #unreported = { messages: 0, size: 0 };
  /** The messages that the server has not acknowledged, and how many it has. */
  #unsent: string[] = [];
  #acknowledged = 0;
  #heard = 0;
  #spoke = 0;
  #pause = firstPause;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #over = false;

  constructor(url: URL, listener: Listener) {
    this.#url = url;
    this.#listener = listener;
    this.#beat = setInterval(() => this.#check(heartbeat), check);
    const { signal } = this.#listening;
    window.addEventListener("online", () => this.retry(), { signal });
    window.addEventListener("offline", () => this.#drop(), { signal });
    // A hidden page's timers are late.
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.#check(0), { signal });
    // The page will not come back, so nobody needs to wait for it.
    window.addEventListener("pagehide", ({ persisted }) => !persisted && this.close(), { signal });
    this.#connect();
  }

  /** Whether the server can't be reached at the moment. */
  get isLost(): boolean {
    return !this.#open && this.#id !== "" && !this.#over;
  }

  /** The messages that the server has not acknowledged. */
  get unsent(): readonly string[] {
    return this.#unsent;
  }

  send(text: string): void {
    if (this.#over) return;
    this.#unsent.push(text);
    if (!this.#open) return;
    this.#socket?.send(text);
    // The server answers with its own count: what it has must not look unsent when the connection is lost.
    this.#sayReceived();
  }

  /** Replaces each message that the server has not acknowledged, unless it has received it already. */
  amend(change: (text: string) => string): void {
    this.#unsent = this.#unsent.map(change);
  }

  /** Tries to reconnect now, if the connection is lost. */
  retry(): void {
    if (this.#over || this.#socket) return this.#check(0);
    clearTimeout(this.#retry);
    this.#connect();
  }

  /** Ends the connection, also for the server. */
  close(): void {
    if (this.#over) return;
    if (this.#open) this.#control({ received: this.#received, bye: true });
    this.#end();
  }

  #connect(): void {
    const socket = new WebSocket(this.#url, subprotocol);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    this.#heard = Date.now();
    socket.addEventListener("open", () => {
      if (socket === this.#socket) this.#control({ hello: this.#id === "" ? {} : { connection: this.#id }, received: this.#received });
    });
    socket.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
      if (socket === this.#socket) this.#frame(data);
    });
    socket.addEventListener("close", ({ code }) => {
      if (socket === this.#socket) this.#closed(code);
    });
  }

  #frame(data: unknown): void {
    this.#heard = Date.now();
    if (data instanceof ArrayBuffer) {
      const control = read(data);
      if (!control) return this.#drop();
      if (this.#open) this.#report(control);
      else this.#greeted(control);
    } else if (this.#open && typeof data === "string") {
      this.#received++;
      this.#unreported.messages++;
      this.#unreported.size += data.length;
      if (this.#unreported.messages >= reportMessages || this.#unreported.size >= reportSize) this.#sayReceived();
      this.#listener.received(data);
    } else {
      this.#drop();
    }
  }

  #greeted({ hello, received }: Control): void {
    const id = hello?.connection ?? "";
    // Without an id, the server no longer has the connection.
    if (id === "" || (this.#id !== "" && id !== this.#id) || !this.#acknowledge(received)) return this.#end();
    const again = this.#id !== "";
    this.#id = id;
    this.#open = true;
    this.#pause = firstPause;
    this.#unreported = { messages: 0, size: 0 };
    if (again) this.#listener.back();
    for (const text of this.#unsent) this.#socket?.send(text);
  }

  #report({ received, bye }: Control): void {
    if (!this.#acknowledge(received)) return this.#end();
    if (bye) this.#sayReceived(); // the server then closes the socket
  }

  /** Returns false if the server can't have received that many. */
  #acknowledge(received: number): boolean {
    const more = received - this.#acknowledged;
    if (more < 0 || more > this.#unsent.length) return false;
    this.#acknowledged = received;
    this.#unsent = this.#unsent.slice(more);
    if (more > 0) this.#listener.acknowledged();
    return true;
  }

  /** Drops a socket whose server is silent, or sends a heartbeat if the last one is `age` milliseconds old. */
  #check(age: number): void {
    if (!this.#socket) return;
    if (Date.now() - this.#heard > silence) this.#drop();
    else if (this.#open && Date.now() - this.#spoke >= age) this.#sayReceived();
  }

  #sayReceived(): void {
    this.#spoke = Date.now();
    this.#unreported = { messages: 0, size: 0 };
    this.#control({ received: this.#received });
  }

  #control(control: Control): void {
    this.#socket?.send(new TextEncoder().encode(JSON.stringify(control)));
  }

  #drop(): void {
    this.#socket?.close();
    if (this.#socket) this.#closed(undefined);
  }

  #closed(code: number | undefined): void {
    const wasOpen = this.#open;
    this.#open = false;
    this.#socket = undefined;
    if (this.#over || (code !== undefined && final.has(code)) || this.#id === "") return this.#end();
    this.#retry = setTimeout(() => this.#connect(), this.#pause / 2 + Math.random() * this.#pause);
    this.#pause = Math.min(longestPause, this.#pause * 2);
    if (wasOpen) this.#listener.lost();
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#open = false;
    clearInterval(this.#beat);
    clearTimeout(this.#retry);
    this.#listening.abort();
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
    this.#listener.ended(this.#id !== "");
  }
}

/** Parses a control frame; returns undefined if it isn't one. */
function read(data: ArrayBuffer): Control | undefined {
  try {
    const control = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(data)) as Partial<Control> | null;
    const received = control?.received;
    return typeof received === "number" && Number.isSafeInteger(received) && received >= 0 ? (control as Control) : undefined;
  } catch {
    return undefined;
  }
}
