/**
 * One chat: its items, its session, the turn that runs, and the agent behind it.
 *
 * The agent is started when it is needed, and again when it is gone. A chat has one
 * turn at a time. When a turn is over, nothing of it waits for the person any more
 * and no call of it runs; that holds however it ends.
 */
import type { ContentBlock, StopReason } from "@agentclientprotocol/sdk";

import type { Change } from "../shared/messages.js";
import type { Attachment, Chat, Item } from "../shared/model.js";
import { AgentSession } from "./agentSession.js";
import { Asks } from "./asks.js";
import { toBlock } from "./attachments.js";
import { errorText, type Traffic } from "./connection.js";
import type { Editor } from "./editor.js";
import { addUsage, readEvent, type WireEvent } from "./events.js";
import { relativeTo } from "./files.js";
import { Facts, newTitle, titleOf } from "./facts.js";
import { loggedIn, offerLogin, type LogIn } from "./loginWanted.js";
import type { Command } from "./process.js";
import { serve } from "./serve.js";
import { Terminals } from "./terminals.js";
import { Transcript } from "./transcript.js";
import { Updates } from "./updates.js";

const patience = 10_000;

export interface ConversationOptions {
  editor: Editor;
  version: string;
  agent: string;
  agents: string[];
  /** How the agent is started; throws in words for the person. */
  command(): Command;
  traffic: Traffic;
  emit(change: Change): void;
  onEvent(event: WireEvent): void;
  now?: () => number;
  /** A chat that goes on: what was kept of it, or what the agent says that it has. */
  before?: Before;
}

export interface Before {
  chatId?: string;
  sessionId?: string;
  title?: string;
  /** The person gave the title; the agent does not change it. */
  named?: boolean;
  items: Item[];
}

interface Prompt {
  text: string;
  attachments: Attachment[];
}

class Turn {
  readonly #controller = new AbortController();
  timer: NodeJS.Timeout | undefined;

  get cancelled(): boolean {
    return this.#controller.signal.aborted;
  }

  cancel(): void {
    this.#controller.abort();
  }

  /** Resolves when the turn is cancelled, or with what is waited for. */
  async orCancelled<T>(promise: Promise<T>): Promise<T | undefined> {
    const { signal } = this.#controller;
    const cancelled = new Promise<undefined>((resolve) => {
      if (signal.aborted) resolve(undefined);
      signal.addEventListener("abort", () => resolve(undefined), { once: true });
    });
    return Promise.race([promise, cancelled]);
  }
}

export class Conversation {
  readonly id: string;
  readonly #options: ConversationOptions;
  readonly #transcript: Transcript;
  readonly #updates: Updates;
  readonly #facts: Facts;
  readonly #asks: Asks;
  readonly #terminals: Terminals;
  readonly #closing = new AbortController();
  #closed = false;
  /** The agent's session is younger than the chat, and nobody has said so yet. */
  #forgotten = false;
  #agent: Promise<AgentSession> | undefined;
  #live: AgentSession | undefined;
  #sessionId: string | undefined;
  #muted = false;
  /** The notice that the agent could not be started. */
  #notStarted: string | undefined;
  #turn: Turn | undefined;
  #lastPrompt: Prompt | undefined;

  constructor(options: ConversationOptions) {
    const { before, editor, emit, now = Date.now } = options;
    this.#options = options;
    this.id = before?.chatId ?? crypto.randomUUID();
    this.#sessionId = before?.sessionId;
    this.#lastPrompt = before?.items.findLast((item) => item.type === "user");
    this.#transcript = new Transcript(emit, before?.items);
    this.#facts = new Facts(
      {
        chatId: this.id,
        title: before?.title ?? newTitle,
        agent: options.agent,
        agents: options.agents,
        status: "idle",
        options: [],
        commands: [],
        folders: editor.folders(),
        accepts: { image: false, embedded: false },
      },
      before?.named ?? false,
      (session) => emit({ type: "session", session }),
    );
    this.#updates = new Updates(this.#transcript, this.#facts, now, (path) => relativeTo(editor.folders(), path));
    this.#asks = new Asks(this.id, this.#transcript, this.#updates, editor);
    this.#terminals = new Terminals((terminal) => {
      terminal.onOutput((text) => this.#updates.print(terminal.id, text));
      terminal.onExit(({ exitCode, signal }) => this.#updates.exit(terminal.id, exitCode, signal));
      editor.showTerminal(terminal);
    });
  }

  get chat(): Chat {
    return { session: this.#facts.session, items: this.#transcript.items };
  }

  get asks(): Asks {
    return this.#asks;
  }

  get facts(): Facts {
    return this.#facts;
  }

  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  /** The agent, if it runs. */
  get live(): AgentSession | undefined {
    return this.#live;
  }

  get busy(): boolean {
    return this.#turn !== undefined;
  }

  /** Resolves when the agent that is being started runs, or has failed to. */
  async started(): Promise<void> {
    await this.#agent?.catch(() => undefined);
  }

  /** Starts the agent. What goes wrong is said in the chat. */
  async start(): Promise<void> {
    if (this.#closed || this.#agent) return;
    await this.#connect().catch((error: unknown) => {
      // A turn that waits for it says so itself.
      if (!this.#turn && !this.#closed) this.#notStarted = this.#fail(errorText(error), false);
    });
  }

  /** Runs a turn; resolves when it is over. */
  async prompt(text: string, attachments: Attachment[] = []): Promise<void> {
    const empty = text.trim() === "" && attachments.length === 0;
    if (this.#turn || this.#closed || empty) return;
    const turn = new Turn();
    this.#turn = turn;
    this.#lastPrompt = { text, attachments };
    this.#updates.turnBegins();
    this.#endRetries();
    this.#tellForgotten();
    this.#transcript.put({ type: "user", id: this.#transcript.id("user"), text, attachments });
    if (this.#facts.session.title === newTitle) this.#facts.title(titleOf(text));
    this.#facts.change({ status: "running" });
    const end = await this.#run(turn, { text, attachments });
    clearTimeout(turn.timer);
    this.#turn = undefined;
    this.#asks.withdrawAll("The turn is over");
    this.#updates.turnEnds(end.how);
    if (end.how === "failed") this.#fail(end.reason, true);
    else this.#facts.change({ status: "idle" });
  }

  async retry(): Promise<void> {
    if (this.#lastPrompt) await this.prompt(this.#lastPrompt.text, this.#lastPrompt.attachments);
  }

  /** Asks the agent to stop; a second time makes it. */
  cancel(): void {
    const turn = this.#turn;
    if (!turn) return this.#asks.logins.withdrawAll("Not logged in");
    if (turn.cancelled) {
      void this.#live?.close();
      return;
    }
    turn.cancel();
    this.#facts.change({ status: "cancelling" });
    this.#live?.cancel();
    this.#asks.withdrawAll("Cancelled");
    turn.timer = setTimeout(() => {
      this.#updates.notice("warning", "The agent has not stopped yet.", "Cancel once more to end it.");
    }, patience);
  }

  async setOption(id: string, value: string | boolean): Promise<void> {
    const request = this.#facts.options.request(id, value);
    if (!request || !this.#live) return;
    try {
      if ("mode" in request) {
        await this.#live.setMode(request.mode);
        this.#facts.mode(request.mode);
      } else {
        this.#facts.configOptions(await this.#live.setConfig(request.configId, request.value));
      }
    } catch (error) {
      this.#updates.notice("error", "The agent did not take the choice.", errorText(error));
    }
  }

  /** Ends what the agent knows of who the person is, where it can. */
  async logOut(): Promise<void> {
    if (!this.#live?.canLogOut) return;
    try {
      await this.#live.logOut();
      this.notice("info", "You are logged out.");
    } catch (error) {
      this.notice("error", "The agent has not logged you out.", errorText(error));
    }
  }

  /** Something to say that the agent has not said. */
  notice(severity: "info" | "warning" | "error", title: string, description?: string): void {
    this.#updates.notice(severity, title, description);
  }

  /** Ends the turn and the agent, for good. The chat stays as it is. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#turn && !this.#turn.cancelled) this.cancel();
    this.#asks.withdrawAll("The chat was closed");
    await this.#live?.close();
    this.#closing.abort();
    await this.#agent?.catch(() => undefined);
  }

  async #run(turn: Turn, prompt: Prompt): Promise<{ how: "ended" | "cancelled" } | { how: "failed"; reason: string }> {
    let agent: AgentSession | undefined;
    try {
      agent = await turn.orCancelled(this.#connect());
      this.#tellForgotten();
      const blocks = agent && (await turn.orCancelled(this.#blocks(prompt)));
      if (!agent || !blocks) return { how: "cancelled" };
      const session = agent;
      const { stopReason } = await loggedIn(session.connection, this.#logIn, () => session.prompt(blocks));
      const said = stopReasons[stopReason];
      if (said && !turn.cancelled) this.#updates.notice("warning", said);
      return { how: turn.cancelled || stopReason === "cancelled" ? "cancelled" : "ended" };
    } catch (error) {
      if (turn.cancelled) return { how: "cancelled" };
      // When the connection has ended, its own reason says more.
      const reason = agent?.connection.isClosed ? await agent.connection.ended : errorText(error);
      return { how: "failed", reason };
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
    const { editor, version, traffic, command } = this.#options;
    if (!editor.trusted()) throw new Error("No agent is started in a workspace that you do not trust. Trust it to go on.");
    const [cwd, ...folders] = editor.folders();
    if (cwd === undefined) throw new Error("An agent works in a folder. Open one to go on.");
    // A turn that waits for it can be cancelled, and so it runs already.
    if (!this.#turn) this.#facts.change({ status: "starting" });
    const spoken = this.#transcript.items.some((item) => item.type === "message" || item.type === "tool");
    const agent = await AgentSession.open({
      command: command(),
      cwd,
      folders,
      version,
      traffic,
      signal: this.#closing.signal,
      handlers: this.#handlers(cwd),
      ...(this.#sessionId === undefined ? {} : { previous: this.#sessionId }),
      replay: !spoken,
      replaying: (value) => this.#replaying(value, spoken),
      logIn: this.#logIn,
    }).catch((error: unknown) => {
      this.#terminals.releaseAll(); // it may have begun some before it failed
      throw error;
    });
    this.#live = agent;
    // That it could not be started is no news any more.
    if (this.#notStarted !== undefined) this.#transcript.remove(this.#notStarted);
    this.#notStarted = undefined;
    this.#sessionId = agent.id;
    void agent.connection.ended.then((reason) => this.#ended(reason));
    this.#forgotten = spoken && agent.memory !== "kept";
    this.#facts.begin(agent.state, agent.capabilities.promptCapabilities);
    if (!this.#turn) this.#facts.change({ status: "idle" });
    return agent;
  }

  #logIn: LogIn = async (connection, error) => {
    const { editor } = this.#options;
    return !this.#closed && !this.#turn?.cancelled && offerLogin(this.#asks.logins, editor, editor.folders()[0] ?? "", connection, error);
  };

  #tellForgotten(): void {
    if (!this.#forgotten) return;
    this.#forgotten = false;
    this.#updates.notice("info", "The agent does not remember what stands above.", "It has begun a new session.");
  }

  #handlers(cwd: string): ReturnType<typeof serve> {
    return serve({
      cwd,
      editor: this.#options.editor,
      updates: this.#updates,
      asks: this.#asks,
      terminals: this.#terminals,
      sessionId: () => this.#live?.id,
      asking: () => this.#turn !== undefined && !this.#turn.cancelled,
      muted: () => this.#muted,
      event: (params) => this.#event(params),
    });
  }

  #replaying(value: boolean, known: boolean): void {
    this.#muted = value && known;
    this.#updates.replaying = value;
    if (!value) this.#updates.turnEnds("ended");
  }

  /** The agent is gone: nothing of it waits or runs any more. */
  #ended(reason: string): void {
    this.#agent = undefined;
    this.#live = undefined;
    this.#asks.withdrawAll("The agent has stopped");
    this.#terminals.releaseAll();
    // A turn that runs fails with the connection, and says so itself.
    if (!this.#turn && !this.#closed) this.#fail(reason, false);
  }

  /** Gives the id of the notice that says so. */
  #fail(reason: string, retry: boolean): string {
    const [title = reason, ...rest] = reason.split("\n");
    const id = this.#updates.notice("error", title, rest.join("\n").trim(), retry);
    // An agent that answered with an error can be asked again at once.
    this.#facts.change({ status: this.#live ? "idle" : "failed" });
    return id;
  }

  /** Only the last failure can be tried again. */
  #endRetries(): void {
    for (const item of this.#transcript.items) {
      if (item.type !== "notice" || !item.retry) continue;
      const { retry: _, ...rest } = item;
      this.#transcript.put(rest);
    }
  }

  #event(params: unknown): void {
    const read = readEvent(params);
    if (!read || read.sessionId !== this.#sessionId) return;
    this.#options.onEvent(read.event);
    const { usage } = this.#facts.session;
    const known = addUsage(usage, read.event);
    if (known && known !== usage) this.#facts.change({ usage: known });
  }

  async #blocks({ text, attachments }: Prompt): Promise<ContentBlock[]> {
    const { editor } = this.#options;
    const { accepts } = this.#facts.session;
    const attached = await Promise.all(attachments.map((a) => toBlock(a, accepts, editor)));
    return text.trim() === "" ? attached : [{ type: "text", text }, ...attached];
  }
}

const stopReasons: Partial<Record<StopReason, string>> = {
  max_tokens: "The agent has stopped: its answer has become too long.",
  max_turn_requests: "The agent has stopped: it has made as many steps as it may.",
  refusal: "The agent refuses to go on.",
};
