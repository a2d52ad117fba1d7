/**
 * The page's connection to its server: logs in, starts the chat, and reconnects
 * after the server was away. This never loses what the user typed.
 */
import { Host } from "../chat/host.js";
import { isWritten, memoryOf } from "../webview/frame/memory.js";
import { onFromView, toView } from "./viewBridge.js";
import { PageEditor } from "./editor.js";
import { pageMachine } from "./machine.js";
import { chatMemory, chosenMemory, forgetAll, queueStore } from "./memory.js";
import { canOffer, Notices } from "./notices.js";
import { Keeper, OfflineView } from "./offline.js";
import { SavedChats } from "./saved.js";
import { askState, logIn, logOut, servedBy, type State } from "./server.js";
import { Push } from "./push.js";
import { change, shell } from "./shell.js";

const firstWait = 500;
const longestWait = 10_000;
/** Without an answer of the server, the last state is shown after this time (milliseconds). */
const longAnswer = 2_000;
/** An interruption is shown if it lasts longer (milliseconds). */
const noticeDelay = 1_000;

export class Client {
  readonly push = new Push();
  readonly saved = new SavedChats();
  readonly #keeper = new Keeper(this.saved, () => (this.#reachable ? this.#host?.conversation : undefined));
  readonly #offline = new OfflineView(this.saved);
  readonly #notices = new Notices();
  /** The session to open once the server is there. */
  #wanted: string | undefined;
  #state: State | undefined;
  #host: Host | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wait = firstWait;
  #connecting = false;
  /** The folder of the last chat, for new ones. */
  #folder: string | undefined;
  /** Whether the chat's connection works. */
  #reachable = false;
  #notice: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.tryNow());
    window.addEventListener("online", () => this.tryNow());
  }

  /** Starts the page; `token` comes from a scanned code, and `session` from a notification. */
  async start(token: string | undefined, session?: string): Promise<void> {
    this.#wanted = session;
    if (token !== undefined) await this.#logIn(token);
    await this.#connect();
  }

  async logIn(token: string): Promise<void> {
    if (await this.#logIn(token)) await this.#connect();
  }

  async #logIn(token: string): Promise<boolean> {
    const fault = await logIn(token);
    change({ fault });
    // Another token's holder may be somebody else.
    if (fault === undefined) await this.#keeper.forget();
    return fault === undefined;
  }

  async logOut(): Promise<void> {
    await this.push.forget();
    await logOut();
    forgetAll();
    await this.#keeper.forget(true);
    await this.#host?.close();
    location.replace("/");
  }

  /** Opens a session, now or once the server is there. */
  async open(session: string): Promise<void> {
    this.#wanted = session;
    if (!this.#host || shell().server !== "there") return this.tryNow();
    this.#wanted = undefined;
    await this.#host.receive({ type: "listSessions" }); // it may be a new one
    await this.#host.receive({ type: "openSession", id: session });
  }

  /** Restarts the open chat, which is empty, in another folder. Its draft stays. */
  async startIn(folder: string): Promise<void> {
    const host = this.#host;
    if (!host || host.conversation.sessionId !== undefined) return;
    this.#folder = folder;
    const { chatId, agent } = host.session;
    const draft = { ...memoryOf(chatId).draft };
    await host.newSession(agent);
    if (host.session.chatId !== chatId && isWritten(draft)) toView({ type: "draft", ...draft });
  }

  tryNow(): void {
    clearTimeout(this.#timer);
    if (shell().server === "away") void this.#connect();
  }

  /** Called when the server is gone, or no longer accepts this page. */
  #lost(): void {
    this.#restored();
    this.#reachable = false;
    if (shell().server !== "there") return;
    change({ server: "away" });
    this.#again();
  }

  /** Called when the chat's connection is interrupted, and will be restored. */
  #interrupted(reconnect: () => void): void {
    this.#reachable = false;
    clearTimeout(this.#notice);
    this.#notice = setTimeout(() => change({ reconnect }), noticeDelay);
  }

  #restored(): void {
    this.#reachable = true;
    clearTimeout(this.#notice);
    change({ reconnect: undefined });
  }

  #again(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#connect(), this.#wait);
    this.#wait = Math.min(longestWait, this.#wait * 2);
  }

  async #connect(): Promise<void> {
    if (this.#connecting) return;
    this.#connecting = true;
    const late = this.#host ? undefined : setTimeout(() => this.#away(), longAnswer);
    try {
      const asked = await askState();
      clearTimeout(late);
      if (asked === "away") {
        this.#away();
        return this.#again();
      }
      if (asked === "unknown") {
        void this.push.forget();
        await this.#keeper.forget();
        if (shell().asOf !== undefined) location.replace("/"); // shows nothing of it any more
        return change({ server: "login", message: undefined });
      }
      this.#state = asked.state;
      change({ server: "there", fault: undefined, loggedIn: asked.state.login });
      this.#reachable = true;
      void this.push.connected(asked.state.pushKey);
      if (this.#host) {
        await this.#host.reopen();
        if (this.#wanted !== undefined) await this.open(this.#wanted);
      } else {
        this.#begin();
      }
      this.#wait = shell().server === "there" ? firstWait : this.#wait;
    } finally {
      clearTimeout(late);
      this.#connecting = false;
    }
  }

  #away(): void {
    change({ server: "away" });
    if (!this.#host) void this.#offline.show();
  }

  #begin(): void {
    const wanted = this.#state?.sessions.find(({ sessionId }) => sessionId === this.#wanted);
    this.#wanted = undefined;
    if (wanted) chatMemory.write({ chatId: wanted.sessionId, sessionId: wanted.sessionId, agent: wanted.agent, cwd: wanted.cwd });
    const state = (): State => this.#state!;
    const agentOf = (name: string) => state().agents.find((agent) => agent.name === name);
    const editor = new PageEditor({
      notices: this.#notices,
      folder: () => this.#host?.conversation.cwd ?? this.#folder ?? state().folder,
      servedSessions: async () => {
        const asked = await askState();
        if (typeof asked === "object") this.#state = asked.state;
        return servedBy(state());
      },
      sessionChanged: ({ title, status }) => {
        this.#notices.title(title);
        this.#folder = this.#host?.conversation.cwd ?? this.#folder;
        change({ folder: this.#folder ?? state().folder, folders: state().folders ?? [] });
        this.#notices.seen(this.#host?.conversation.sessionId);
        if (status === "running" && canOffer()) change({ offer: true });
      },
    });
    const host = new Host({
      editor,
      machine: pageMachine({
        lost: (retry) => this.#interrupted(retry),
        back: () => this.#restored(),
        unsent: (calls, questions) => this.#host?.conversation.requests.markUnsent(calls, questions),
        refused: (calls) => this.#host?.conversation.requests.markRefused(calls),
        ended: () => this.#lost(),
      }),
      agents: {
        names: () => state().agents.map(({ name }) => name),
        chosen: () => state().agents[0]?.name ?? "",
        command: (name) => ({ command: agentOf(name)?.path ?? "/acp", args: [], env: {} }),
      },
      memory: chatMemory,
      chosen: chosenMemory,
      queued: queueStore,
      version: state().version || "0",
    });
    this.#host = host;
    host.attach((message) => {
      toView(message);
      this.#keeper.changed();
    });
    onFromView((message) => void host.receive(message));
    if (this.#offline.leave()) void host.receive({ type: "ready" });
  }
}
