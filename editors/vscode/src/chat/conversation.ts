/**
 * One chat: its items, its session, its running turn and its agent.
 *
 * The agent is started when needed, and again after it has ended. A chat has one
 * turn at a time. When a turn ends, for whatever reason, none of its requests are
 * pending and none of its calls are running.
 */
import type { Attachment, Chat, Fix } from "../shared/model.js";
import { newId } from "../shared/newId.js";
import { AgentSession } from "./agentSession.js";
import { PendingRequests } from "./pendingRequests.js";
import { toBlocks } from "./attachments.js";
import { Changes } from "./changes.js";
import { logOut } from "./choices.js";
import { Chosen } from "./chosen.js";
import { errorText } from "./rpcError.js";
import type { ConversationOptions } from "./conversationOptions.js";
import { Failures } from "./failures.js";
import { fixesOf } from "./fixes.js";
import { addUsage, readEvent } from "./events.js";
import { Facts, newTitle, titleFromPrompt } from "./sessionFacts.js";
import { ContinuedChat } from "./continuedChat.js";
import { loggedIn, offerLogin, type LogIn } from "./loginWanted.js";
import type { Machine } from "./machine.js";
import { endOf, OtherTurns } from "./otherTurns.js";
import { agentFolder } from "./agentFolder.js";
import { Queue, type TurnEnd } from "./queue.js";
import { Replay } from "./replay.js";
import { serve } from "./serve.js";
import { Steering } from "./steering.js";
import { Transcript } from "./transcript.js";
import { stopReasons, Turn, type Prompt } from "./turn.js";
import type { SharedTurnEvent } from "./sharedTurns.js";
import { Updates } from "./updates.js";

export class Conversation {
  readonly id: string;
  readonly #options: ConversationOptions;
  readonly transcript: Transcript;
  readonly #updates: Updates;
  readonly facts: Facts;
  readonly requests: PendingRequests;
  readonly queue: Queue;
  readonly #steering: Steering;
  readonly changes: Changes;
  readonly #terminals: ReturnType<Machine["terminals"]>;
  readonly #otherTurns = new OtherTurns();
  readonly #chosen: Chosen;
  readonly #closing = new AbortController();
  #closed = false;
  #agent: Promise<AgentSession> | undefined;
  #live: AgentSession | undefined;
  #sessionId: string | undefined;
  #cwd: string | undefined;
  /** The session has messages, so it can be continued. */
  #begun: boolean;
  readonly #replay: Replay;
  readonly #continued: ContinuedChat;
  readonly #failures: Failures;
  #turn: Turn | undefined;
  #lastPrompt: Prompt | undefined;
  #away = false;

  constructor(options: ConversationOptions) {
    const { before, editor, emit, machine, now = Date.now } = options;
    this.#options = options;
    this.id = before?.chatId ?? newId();
    this.#sessionId = before?.sessionId;
    this.#cwd = before?.cwd;
    this.#begun = before?.sessionId !== undefined;
    this.#lastPrompt = before?.unsent ?? before?.items?.findLast((item) => item.type === "user");
    this.transcript = new Transcript(emit, before?.items);
    this.#chosen = new Chosen(options.agent, options.chosen);
    this.facts = Facts.begin(options, this.id, (session) => {
      emit({ type: "session", session });
      this.#chosen.changed(session);
    });
    const of = (path: string): string | undefined => machine.paths.relativeTo(editor.folders(), path);
    const ofURL = (url: URL): string => of(machine.paths.ofURL(url)) ?? machine.paths.ofURL(url);
    this.#updates = new Updates(this.transcript, this.facts, now, { of, ofURL });
    this.#continued = new ContinuedChat(before, this.transcript, this.#updates);
    this.#replay = new Replay(this.transcript, this.#updates);
    this.queue = new Queue(emit, before?.queue);
    this.#failures = new Failures(this.transcript, this.#updates, editor.fixes);
    this.#steering = new Steering(options, this.queue, this.facts, this.#updates);
    this.changes = new Changes(this.transcript, this.#updates, editor, machine);
    this.requests = new PendingRequests(this.id, this.transcript, this.#updates, editor, now);
    this.#terminals = machine.terminals((terminal) => {
      terminal.onOutput((text) => this.#updates.print(terminal.id, text));
      terminal.onExit(({ exitCode, signal }) => this.#updates.exit(terminal.id, exitCode, signal));
      editor.showTerminal(terminal);
    });
  }

  get chat(): Chat {
    return { session: this.facts.session, items: this.transcript.items, queue: this.queue.shown };
  }

  /** The ACP session's id; undefined while the session is empty. */
  get sessionId(): string | undefined {
    return this.#begun ? this.#sessionId : undefined;
  }

  /** The agent's working folder. */
  get cwd(): string | undefined {
    return this.#cwd;
  }

  /** A prompt that may be sent again when the server is back. */
  get unsent(): Prompt | undefined {
    return this.#continued.unsent;
  }

  /** The running agent. */
  get live(): AgentSession | undefined {
    return this.#live;
  }

  get busy(): boolean {
    return this.#turn !== undefined || this.#otherTurns.running > 0;
  }

  /** A server keeps the session open for other clients, and its turns running without this one. */
  get shared(): boolean {
    return this.#otherTurns.shared;
  }

  /** Resolves when the starting agent runs or has failed. */
  async started(): Promise<void> {
    await this.#agent?.catch(() => undefined);
  }

  /** Starts the agent. Shows errors in the chat. */
  async start(): Promise<void> {
    if (this.#closed || this.#agent) return;
    this.#failures.started();
    await this.#connect().catch((error: unknown) => {
      if (this.#turn || this.#closed) return; // a waiting turn reports the error itself
      this.#failures.notStarted(errorText(error), fixesOf(error));
      this.#failed();
    });
  }

  /** Runs a turn and the queued ones after it, to their ends. During a turn, queues the prompt. */
  async prompt(text: string, attachments: Attachment[] = []): Promise<void> {
    if (this.#closed || (text.trim() === "" && attachments.length === 0)) return;
    if (!this.busy) return this.#next(await this.#oneTurn({ text, attachments }));
    if (!this.queue.add({ text, attachments })) this.notice("warning", "The queue is full. This prompt was not queued:", text);
  }

  /** Sends a queued prompt now: into the running turn, or after cancelling it if the agent reads no messages then. */
  async sendQueued(id?: string): Promise<void> {
    if (this.#closed) return;
    if (!this.busy) return this.#send(this.queue.release(id));
    if (id !== undefined && this.#live && this.#steering.possible) return this.#steering.send(this.#live, id).then(() => this.#next("ended"));
    if (id !== undefined && this.queue.hurry(id) && !this.#turn?.cancelled) this.cancel();
  }

  async #send(prompt: Prompt | undefined): Promise<void> {
    if (prompt) await this.prompt(prompt.text, prompt.attachments);
  }

  /** Called when a turn has ended: sends the next queued prompt, if it may. */
  async #next(end: TurnEnd | undefined): Promise<void> {
    if (end !== undefined && !this.busy && !this.#closed) await this.#send(this.queue.after(end));
  }

  /** Returns how the turn ended; undefined if the server went away or another client's turn still runs. */
  async #oneTurn({ text, attachments }: Prompt): Promise<TurnEnd | undefined> {
    const turn = new Turn();
    this.#turn = turn;
    this.#lastPrompt = { text, attachments };
    this.#turnBegins();
    this.#continued.tellForgotten();
    const message = this.#updates.prompted({ text, attachments });
    if (this.facts.session.title === newTitle) this.facts.title(titleFromPrompt(text));
    this.facts.change({ status: "running" });
    const end = await this.#run(turn, { text, attachments }, message);
    turn.end();
    this.#turn = undefined;
    const others = this.#otherTurns.running > 0; // while another client's turn runs, its requests stay open
    if (!others) this.requests.withdrawAll("The turn ended");
    if (!others) this.#turnEnds(end.how);
    if (end.how === "failed" && this.#away) this.#continued.unsent = { text, attachments };
    else if (end.how === "failed") this.#fail(end.reason, end.fixes, true);
    if (this.#away) return undefined;
    if (others || end.how !== "failed") this.facts.change({ status: others ? "running" : "idle" });
    return others ? undefined : end.how;
  }

  /** Sends the given message again, or the last one, with its attachments. */
  async retry(id?: string): Promise<void> {
    await this.#send(id === undefined ? this.#lastPrompt : this.transcript.find("user", id));
  }

  /** Cancels the turn. A second call ends the agent, or cancels again behind a server. */
  cancel(): void {
    const turn = this.#turn;
    if (!this.busy) return this.requests.logins.withdrawAll("Not logged in");
    if (turn?.cancelled) {
      if (this.#otherTurns.shared) this.#live?.cancel();
      else void this.#live?.close();
      return;
    }
    turn?.cancel();
    this.facts.change({ status: "cancelling" });
    this.#live?.cancel();
    this.requests.withdrawAll("Cancelled");
    turn?.ifSlow(() => this.notice("warning", "The agent is still working.", "Cancel again to stop it."));
  }

  async setOption(id: string, value: string | boolean): Promise<void> {
    if (this.#live) await this.#chosen.choose(this.#live, this.facts, id, value, this.#refused);
  }

  readonly #refused = (why: string): void => this.notice("error", "The agent rejected the choice.", why);

  /** Logs out of the agent, if it supports that. */
  async logOut(): Promise<void> {
    if (this.#live?.canLogOut) await logOut(this.#live, (...said) => this.notice(...said));
  }

  /** Shows a notice that doesn't come from the agent. */
  notice(severity: "info" | "warning" | "error", title: string, description?: string): void {
    this.#updates.notice(severity, title, description);
  }

  /** Ends the turn and the agent for good. A server's session and its requests stay open for its other clients. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#otherTurns.shared) await this.#live?.close();
    else if (this.#turn && !this.#turn.cancelled) this.cancel();
    this.requests.withdrawAll("The chat was closed");
    await this.#live?.close();
    this.#closing.abort();
    await this.#agent?.catch(() => undefined);
  }

  async #run(turn: Turn, prompt: Prompt, message: string): Promise<{ how: "ended" | "stopped" | "cancelled" } | { how: "failed"; reason: string; fixes: readonly Fix[] }> {
    let agent: AgentSession | undefined;
    try {
      agent = await turn.orCancelled(this.#connect());
      this.#continued.tellForgotten();
      const blocks = agent && (await turn.orCancelled(toBlocks(prompt, this.facts.session.accepts, this.#options.editor, this.#options.machine.paths)));
      if (!agent || !blocks) return { how: "cancelled" };
      const session = agent;
      this.#begun = true;
      this.facts.change({}); // the session can be continued from now on
      const { stopReason } = await loggedIn(session.connection, this.#logIn, () => session.prompt(blocks, message));
      const warning = stopReasons[stopReason];
      if (warning && !turn.cancelled) this.#updates.notice("warning", warning);
      return { how: turn.cancelled || stopReason === "cancelled" ? "cancelled" : warning ? "stopped" : "ended" };
    } catch (error) {
      if (turn.cancelled) return { how: "cancelled" };
      // If the connection has ended, its reason explains more.
      const died = agent?.connection.isClosed ? await agent.connection.ended : undefined;
      return { how: "failed", reason: died ?? errorText(error), fixes: died === undefined ? fixesOf(error) : ["log"] };
    }
  }

  #connect(): Promise<AgentSession> {
    this.#agent ??= this.#open().catch((error: unknown) => {
      this.#agent = undefined;
      throw error;
    });
    return this.#agent;
  }

  async #open(): Promise<AgentSession> {
    const { editor, machine, version, traffic, command, heldTimeout } = this.#options;
    const { cwd, folders } = agentFolder(editor, machine, this.#cwd);
    this.#cwd = cwd;
    // A turn that waits for the agent shows as running, because it can be cancelled.
    if (!this.#turn) this.facts.change({ status: "starting" });
    const spoken = this.transcript.items.some((item) => item.type === "message" || item.type === "tool");
    const previous = this.sessionId;
    const agent = await AgentSession.open({
      machine,
      command: command(),
      cwd,
      folders,
      version,
      traffic,
      signal: this.#closing.signal,
      handlers: this.#handlers(cwd),
      ...(previous === undefined ? {} : { previous: { id: previous, timeout: this.#turn ? 0 : heldTimeout, waits: () => this.facts.change({ held: true }) } }),
      replay: !spoken,
      replaying: (step) => this.#replay.step(step, spoken, this.#otherTurns.running > 0),
      greeted: ({ shared, name }) => {
        this.#otherTurns.shared = this.#updates.shared = shared;
        if (name) this.facts.agentName(name);
      },
      logIn: this.#logIn,
    }).catch((error: unknown) => {
      this.#terminals?.releaseAll(); // the agent may have created some before it failed
      throw error;
    });
    this.#live = agent;
    this.#failures.started();
    this.#sessionId = agent.id;
    void agent.connection.ended.then((reason) => this.#ended(reason));
    if (agent.continuation.how === "forgotten") this.#begun = false;
    this.#continued.tellContinuation(agent.continuation, spoken, !this.#turn && !this.#otherTurns.shared);
    void this.#chosen.begins(agent, this.facts, this.#otherTurns.shared && agent.continuation.how !== "new", this.#refused);
    if (!this.#turn) this.facts.change({ status: this.busy ? "running" : "idle" });
    // The replayed title may be older than the user's.
    const title = agent.continuation.how === "loaded" && !spoken ? (this.#options.before?.title ?? (await agent.title(cwd))) : undefined;
    if (title) this.facts.title(title);
    return agent;
  }

  #logIn: LogIn = async (connection, error) => {
    const { editor } = this.#options;
    return !this.#closed && !this.#turn?.cancelled && offerLogin(this.requests.logins, editor, editor.folders()[0] ?? "", connection, error);
  };

  #handlers(cwd: string): ReturnType<typeof serve> {
    return serve({
      cwd,
      machine: this.#options.machine,
      editor: this.#options.editor,
      updates: this.#updates,
      edits: this.changes.edits,
      requests: this.requests,
      terminals: this.#terminals,
      sessionId: () => this.#live?.id,
      // Behind a server, the turn may be another client's; requests only arrive during turns.
      asking: () => (this.#turn ? !this.#turn.cancelled : this.#otherTurns.shared),
      muted: () => this.#replay.muted,
      event: (params) => this.#event(params),
      turns: (news) => this.#turns(news),
    });
  }

  /** Cleans up after the agent is gone: nothing of it is pending or running. */
  #ended(reason: string): void {
    this.#agent = undefined;
    this.#live = undefined;
    const other = !this.#turn && this.#otherTurns.running > 0;
    this.queue.hold("failed");
    this.#away = this.#otherTurns.shared && this.#options.machine.reconnects;
    this.#otherTurns.forget();
    this.requests.withdrawAll("The agent stopped");
    if (other) this.#turnEnds("ended");
    this.#terminals?.releaseAll();
    // A running turn fails with the connection, and reports that itself.
    if (this.#away) this.facts.change({ status: "starting" });
    else if (!this.#turn && !this.#closed) this.#fail(reason, ["log", "again"]);
  }

  #turnBegins(): void {
    this.#updates.turnBegins();
    this.changes.turnBegins();
    this.transcript.endRetries();
  }

  #turnEnds(how: TurnEnd): void {
    this.#updates.turnEnds(how === "stopped" ? "ended" : how);
    if (how === "cancelled") this.#updates.cancelled();
    this.changes.turnEnds();
  }

  #fail(reason: string, helps: readonly Fix[], retry = false): void {
    this.#failures.show(reason, helps, retry);
    this.#failed();
  }

  /** An agent that answered with an error can be prompted again at once. */
  #failed(): void {
    this.facts.change({ status: this.#live ? "idle" : "failed" });
  }

  /** Shows other clients' turns like the user's own. */
  #turns(news: SharedTurnEvent): void {
    const before = this.#otherTurns.running;
    this.#otherTurns.update(news);
    if (this.#replay.playing && news.step === "ends") this.#updates.pastStop(news.stopReason, news.error);
    if (this.#turn || this.#replay.playing || Boolean(before) === Boolean(this.#otherTurns.running)) return;
    if (this.#otherTurns.running > 0) {
      this.#turnBegins();
      this.facts.change({ status: "running" });
      return;
    }
    const { how, title, description } = endOf(news);
    this.requests.withdrawAll("The turn ended");
    this.#turnEnds(how);
    if (title) this.notice(how === "failed" ? "error" : "warning", title, description);
    this.facts.change({ status: "idle" });
    void this.#next(how === "ended" && title ? "stopped" : how);
  }

  #event(params: unknown): void {
    const read = readEvent(params);
    if (!read || read.sessionId !== this.#sessionId) return;
    this.#options.onEvent(read.event);
    const { usage } = this.facts.session;
    const known = addUsage(usage, read.event);
    if (known && known !== usage) this.facts.change({ usage: known });
  }
}
