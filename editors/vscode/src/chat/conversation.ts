/**
 * One chat: its items, its session, the turn that runs, and the agent behind it.
 *
 * The agent is started when it is needed, and again when it is gone. A chat has one
 * turn at a time. When a turn is over, nothing of it waits for the person any more
 * and no call of it runs; that holds however it ends.
 */
import type { Attachment, Chat, Cure } from "../shared/model.js";
import { AgentSession } from "./agentSession.js";
import { Asks } from "./asks.js";
import { toBlocks } from "./attachments.js";
import { Changes } from "./changes.js";
import { logOut } from "./choices.js";
import { Chosen } from "./chosen.js";
import { errorText } from "./connection.js";
import type { ConversationOptions } from "./conversationOptions.js";
import { curesOf } from "./cures.js";
import { addUsage, readEvent } from "./events.js";
import { Facts, newTitle, titleOf } from "./facts.js";
import { GoingOn } from "./goingOn.js";
import { loggedIn, offerLogin, type LogIn } from "./loginWanted.js";
import type { Machine } from "./machine.js";
import { endOf, Others } from "./others.js";
import { placeFor } from "./place.js";
import { Queue, type TurnEnd } from "./queue.js";
import { Replay } from "./replay.js";
import { serve } from "./serve.js";
import { Transcript } from "./transcript.js";
import { stopReasons, Turn, type Prompt } from "./turn.js";
import type { TurnsOfOthers } from "./turnNews.js";
import { Updates } from "./updates.js";

const patience = 10_000;

export class Conversation {
  readonly id: string;
  readonly #options: ConversationOptions;
  readonly #transcript: Transcript;
  readonly #updates: Updates;
  readonly facts: Facts;
  readonly asks: Asks;
  readonly queue: Queue;
  readonly changes: Changes;
  readonly #terminals: ReturnType<Machine["terminals"]>;
  readonly #others = new Others();
  readonly #chosen: Chosen;
  readonly #closing = new AbortController();
  #closed = false;
  #agent: Promise<AgentSession> | undefined;
  #live: AgentSession | undefined;
  #sessionId: string | undefined;
  #cwd: string | undefined;
  /** Something was said in the session, so that there is one to go on with. */
  #begun: boolean;
  readonly #replay: Replay;
  readonly #goingOn: GoingOn;
  /** The notice that the agent could not be started. */
  #notStarted: string | undefined;
  #turn: Turn | undefined;
  #lastPrompt: Prompt | undefined;
  #away = false;

  constructor(options: ConversationOptions) {
    const { before, editor, emit, machine, now = Date.now } = options;
    this.#options = options;
    this.id = before?.chatId ?? crypto.randomUUID();
    this.#sessionId = before?.sessionId;
    this.#cwd = before?.cwd;
    this.#begun = before?.sessionId !== undefined;
    this.#lastPrompt = before?.unsent ?? before?.items?.findLast((item) => item.type === "user");
    this.#transcript = new Transcript(emit, before?.items);
    this.#chosen = new Chosen(options.agent, options.chosen);
    this.facts = Facts.begin(options, this.id, (session) => {
      emit({ type: "session", session });
      this.#chosen.changed(session);
    });
    const of = (path: string): string | undefined => machine.paths.relativeTo(editor.folders(), path);
    const ofURL = (url: URL): string => of(machine.paths.ofURL(url)) ?? machine.paths.ofURL(url);
    this.#updates = new Updates(this.#transcript, this.facts, now, { of, ofURL });
    this.#goingOn = new GoingOn(before, this.#transcript, this.#updates);
    this.#replay = new Replay(this.#transcript, this.#updates);
    this.queue = new Queue(emit, before?.queue);
    this.changes = new Changes(this.#transcript, this.#updates, editor, machine);
    this.asks = new Asks(this.id, this.#transcript, this.#updates, editor, now);
    this.#terminals = machine.terminals((terminal) => {
      terminal.onOutput((text) => this.#updates.print(terminal.id, text));
      terminal.onExit(({ exitCode, signal }) => this.#updates.exit(terminal.id, exitCode, signal));
      editor.showTerminal(terminal);
    });
  }

  get chat(): Chat {
    return { session: this.facts.session, items: this.#transcript.items, queue: this.queue.shown };
  }

  /** The protocol's session; nothing where nothing was said in it. */
  get sessionId(): string | undefined {
    return this.#begun ? this.#sessionId : undefined;
  }

  /** The folder that the agent works in. */
  get cwd(): string | undefined {
    return this.#cwd;
  }

  /** What may be said once more, when the server is back. */
  get unsent(): Prompt | undefined {
    return this.#goingOn.unsent;
  }

  /** The agent, if it runs. */
  get live(): AgentSession | undefined {
    return this.#live;
  }

  get busy(): boolean {
    return this.#turn !== undefined || this.#others.running > 0;
  }

  /** Resolves when the agent that is being started runs, or has failed to. */
  async started(): Promise<void> {
    await this.#agent?.catch(() => undefined);
  }

  /** Starts the agent. What goes wrong is said in the chat. */
  async start(): Promise<void> {
    if (this.#closed || this.#agent) return;
    this.#started();
    await this.#connect().catch((error: unknown) => {
      // A turn that waits for it says so itself.
      if (!this.#turn && !this.#closed) this.#notStarted = this.#fail(errorText(error), curesOf(error));
    });
  }

  /** That it could not be started is no news any more. */
  #started(): void {
    if (this.#notStarted !== undefined) this.#transcript.remove(this.#notStarted);
    this.#notStarted = undefined;
  }

  /** Runs a turn, and those that are queued behind it; resolves when they are over. During a turn it queues. */
  async prompt(text: string, attachments: Attachment[] = []): Promise<void> {
    const empty = text.trim() === "" && attachments.length === 0;
    if (this.#closed || empty) return;
    if (!this.busy) return this.#next(await this.#oneTurn({ text, attachments }));
    if (!this.queue.add({ text, attachments })) this.notice("warning", "The queue is full. This was not queued:", text);
  }

  /** Sends what is queued now; a turn that runs is cancelled first. */
  async sendQueued(id?: string): Promise<void> {
    if (this.#closed) return;
    if (!this.busy) return this.#send(this.queue.release(id));
    if (id !== undefined && this.queue.hurry(id) && !this.#turn?.cancelled) this.cancel();
  }

  async #send(prompt: Prompt | undefined): Promise<void> {
    if (prompt) await this.prompt(prompt.text, prompt.attachments);
  }

  /** A turn is over: goes on with what is queued, if it may. */
  async #next(end: TurnEnd | undefined): Promise<void> {
    if (end !== undefined && !this.busy && !this.#closed) await this.#send(this.queue.after(end));
  }

  /** How it ended; nothing where the session was lost or left, and another one goes on with it. */
  async #oneTurn({ text, attachments }: Prompt): Promise<TurnEnd | undefined> {
    const turn = new Turn();
    this.#turn = turn;
    this.#lastPrompt = { text, attachments };
    this.#turnBegins();
    this.#goingOn.tellForgotten();
    this.#transcript.put({ type: "user", id: this.#transcript.id("user"), text, attachments });
    if (this.facts.session.title === newTitle) this.facts.title(titleOf(text));
    this.facts.change({ status: "running" });
    const end = await this.#run(turn, { text, attachments });
    clearTimeout(turn.timer);
    this.#turn = undefined;
    const others = this.#others.running > 0; // what they wait for is not this turn's to withdraw
    if (!others) this.asks.withdrawAll("The turn is over");
    if (!others) this.#turnEnds(end.how);
    if (end.how === "failed" && this.#away) this.#goingOn.unsent = { text, attachments };
    else if (end.how === "failed") this.#fail(end.reason, end.cures, true);
    if (this.#away) return undefined;
    if (others || end.how !== "failed") this.facts.change({ status: others ? "running" : "idle" });
    return others ? undefined : end.how;
  }

  /** The same prompt again, with what went along: that message, or the last one. */
  async retry(id?: string): Promise<void> {
    await this.#send(id === undefined ? this.#lastPrompt : this.#transcript.find("user", id));
  }

  /** Asks the agent to stop; a second time makes it. */
  cancel(): void {
    const turn = this.#turn;
    if (!this.busy) return this.asks.logins.withdrawAll("Not logged in");
    if (turn?.cancelled) {
      if (this.#others.shared) this.#live?.cancel();
      else void this.#live?.close();
      return;
    }
    turn?.cancel();
    this.facts.change({ status: "cancelling" });
    this.#live?.cancel();
    this.asks.withdrawAll("Cancelled");
    if (turn) turn.timer = setTimeout(() => {
      this.#updates.notice("warning", "The agent has not stopped yet.", "Cancel once more to end it.");
    }, patience);
  }

  async setOption(id: string, value: string | boolean): Promise<void> {
    if (this.#live) await this.#chosen.choose(this.#live, this.facts, id, value, this.#refused);
  }

  readonly #refused = (why: string): void => this.notice("error", "The agent did not take the choice.", why);

  /** Ends what the agent knows of who the person is, where it can. */
  async logOut(): Promise<void> {
    if (this.#live?.canLogOut) await logOut(this.#live, (...said) => this.notice(...said));
  }

  /** Something to say that the agent has not said. */
  notice(severity: "info" | "warning" | "error", title: string, description?: string): void {
    this.#updates.notice(severity, title, description);
  }

  /**
   * Ends the turn and the agent, for good; or leaves it to the others, where it is
   * behind a server. Nothing that waits is answered there. The chat stays as it is.
   */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#others.shared) await this.#live?.close();
    else if (this.#turn && !this.#turn.cancelled) this.cancel();
    this.asks.withdrawAll("The chat was closed");
    await this.#live?.close();
    this.#closing.abort();
    await this.#agent?.catch(() => undefined);
  }

  async #run(turn: Turn, prompt: Prompt): Promise<{ how: "ended" | "stopped" | "cancelled" } | { how: "failed"; reason: string; cures: readonly Cure[] }> {
    let agent: AgentSession | undefined;
    try {
      agent = await turn.orCancelled(this.#connect());
      this.#goingOn.tellForgotten();
      const blocks = agent && (await turn.orCancelled(toBlocks(prompt, this.facts.session.accepts, this.#options.editor, this.#options.machine.paths)));
      if (!agent || !blocks) return { how: "cancelled" };
      const session = agent;
      this.#begun = true;
      this.facts.change({}); // there is something to come back to
      const { stopReason } = await loggedIn(session.connection, this.#logIn, () => session.prompt(blocks));
      const said = stopReasons[stopReason];
      if (said && !turn.cancelled) this.#updates.notice("warning", said);
      return { how: turn.cancelled || stopReason === "cancelled" ? "cancelled" : said ? "stopped" : "ended" };
    } catch (error) {
      if (turn.cancelled) return { how: "cancelled" };
      // When the connection has ended, its own reason says more.
      const died = agent?.connection.isClosed ? await agent.connection.ended : undefined;
      return { how: "failed", reason: died ?? errorText(error), cures: died === undefined ? curesOf(error) : ["log"] };
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
    const { editor, machine, version, traffic, command } = this.#options;
    const { cwd, folders } = placeFor(editor, machine, this.#cwd);
    this.#cwd = cwd;
    // A turn that waits for it can be cancelled, and so it runs already.
    if (!this.#turn) this.facts.change({ status: "starting" });
    const spoken = this.#transcript.items.some((item) => item.type === "message" || item.type === "tool");
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
      ...(previous === undefined ? {} : { previous }),
      replay: !spoken,
      replaying: (step) => this.#replay.step(step, spoken, this.#others.running > 0),
      greeted: ({ shared }) => (this.#others.shared = this.#updates.shared = shared),
      logIn: this.#logIn,
    }).catch((error: unknown) => {
      this.#terminals?.releaseAll(); // it may have begun some before it failed
      throw error;
    });
    this.#live = agent;
    this.#started();
    this.#sessionId = agent.id;
    void agent.connection.ended.then((reason) => this.#ended(reason));
    if (agent.fate.how === "forgotten") this.#begun = false;
    this.#goingOn.tellFate(agent.fate, spoken, !this.#turn && !this.#others.shared);
    void this.#chosen.begins(agent, this.facts, this.#others.shared && agent.fate.how !== "new", this.#refused);
    if (!this.#turn) this.facts.change({ status: this.busy ? "running" : "idle" });
    // What is played back may be an older title than the person has given.
    const title = agent.fate.how === "loaded" && !spoken ? (this.#options.before?.title ?? (await agent.title(cwd))) : undefined;
    if (title) this.facts.title(title);
    return agent;
  }

  #logIn: LogIn = async (connection, error) => {
    const { editor } = this.#options;
    return !this.#closed && !this.#turn?.cancelled && offerLogin(this.asks.logins, editor, editor.folders()[0] ?? "", connection, error);
  };

  #handlers(cwd: string): ReturnType<typeof serve> {
    return serve({
      cwd,
      machine: this.#options.machine,
      editor: this.#options.editor,
      updates: this.#updates,
      edits: this.changes.edits,
      asks: this.asks,
      terminals: this.#terminals,
      sessionId: () => this.#live?.id,
      // Behind a server it may be another's turn, and nothing is asked outside of one.
      asking: () => (this.#turn ? !this.#turn.cancelled : this.#others.shared),
      muted: () => this.#replay.muted,
      event: (params) => this.#event(params),
      turns: (news) => this.#turns(news),
    });
  }

  /** The agent is gone: nothing of it waits or runs any more. */
  #ended(reason: string): void {
    this.#agent = undefined;
    this.#live = undefined;
    const other = !this.#turn && this.#others.running > 0;
    this.queue.hold("failed");
    this.#away = this.#others.shared && this.#options.machine.reconnects;
    this.#others.forget();
    this.asks.withdrawAll("The agent has stopped");
    if (other) this.#turnEnds("ended");
    this.#terminals?.releaseAll();
    // A turn that runs fails with the connection, and says so itself.
    if (this.#away) this.facts.change({ status: "starting" });
    else if (!this.#turn && !this.#closed) this.#fail(reason, ["log", "again"]);
  }

  #turnBegins(): void {
    this.#updates.turnBegins();
    this.changes.turnBegins();
    this.#transcript.endRetries();
  }

  #turnEnds(how: TurnEnd): void {
    this.#updates.turnEnds(how === "stopped" ? "ended" : how);
    if (how === "cancelled") this.#updates.cancelled();
    this.changes.turnEnds();
  }

  /** Gives the id of the notice that says so. */
  #fail(reason: string, helps: readonly Cure[], retry = false): string {
    const [title = reason, ...rest] = reason.split("\n");
    // To try it again starts the agent again.
    const cures = helps.filter((cure) => (this.#options.editor.cures ?? []).includes(cure) && !(retry && cure === "again"));
    const id = this.#updates.notice("error", title, rest.join("\n").trim(), { retry, cures });
    // An agent that answered with an error can be asked again at once.
    this.facts.change({ status: this.#live ? "idle" : "failed" });
    return id;
  }

  /** A turn that others have begun looks like one's own. */
  #turns(news: TurnsOfOthers): void {
    const before = this.#others.running;
    this.#others.take(news);
    if (this.#replay.playing && news.step === "ends") this.#updates.pastStop(news.stopReason, news.error);
    if (this.#turn || this.#replay.playing || Boolean(before) === Boolean(this.#others.running)) return;
    if (this.#others.running > 0) {
      this.#turnBegins();
      this.facts.change({ status: "running" });
      return;
    }
    const { how, title, description } = endOf(news);
    this.asks.withdrawAll("The turn is over");
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
