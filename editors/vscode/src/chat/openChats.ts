/**
 * The open chats of a window. Each has its own agent, and goes on while no view shows it.
 *
 * A chat without a view ends when it has nothing to do and has been idle for a while, or
 * when too many are idle. The agent stores its messages, so it can be reopened.
 */
import type { Change } from "../shared/messages.js";
import type { Queue } from "../shared/model.js";
import type { Agents } from "./agents.js";
import type { ChosenMemory } from "./chosen.js";
import type { Traffic } from "./connection.js";
import { Conversation } from "./conversation.js";
import type { EarlierChat } from "./earlierChat.js";
import type { Editor } from "./editor.js";
import type { WireEvent } from "./events.js";
import type { Machine } from "./machine.js";
import { OpenChat, type Viewer } from "./openChat.js";
import { QueueMemory, type QueueStore } from "./queueMemory.js";
import type { ServedSession } from "./sessions.js";

/** Most chats whose agents stay although they have nothing to do and no view. */
const mostIdle = 4;
/** After this time, such an agent ends (milliseconds). */
const idleTime = 15 * 60_000;
/** How long a reloaded chat waits for a session that another process has open (milliseconds). */
const defaultHeldTimeout = 60_000;
/** Most ended chats whose queues and drafts come back when they are reopened. */
const mostEnded = 100;

export interface OpenChatsOptions {
  editor: Editor;
  machine: Machine;
  agents: Agents;
  /** The user's choices, by agent. */
  chosen?: ChosenMemory;
  /** The queued prompts. */
  queued?: QueueStore;
  version: string;
  traffic?: Traffic;
  onEvent?(event: WireEvent): void;
  now?: () => number;
  heldTimeout?: number;
}

/** What is known of a chat that ended. */
interface EndedChat {
  chatId: string;
  queue: Queue;
  /** Set if nobody has seen how its last turn ended. */
  unseen?: ServedSession;
}

export class OpenChats {
  readonly #options: OpenChatsOptions;
  readonly #queueMemory: QueueMemory;
  /** In the order in which they were left, the latest last. */
  readonly #chats = new Set<OpenChat>();
  /** Chats whose agents are still ending, by key. */
  readonly #ending = new Map<string, Promise<void>>();
  /** Chats that ended, by session. */
  readonly #ended = new Map<string, EndedChat>();
  readonly #timers = new Map<OpenChat, ReturnType<typeof setTimeout>>();
  readonly #listeners = new Set<() => void>();
  #told = "";
  #closing = false;

  constructor(options: OpenChatsOptions) {
    this.#options = options;
    this.#queueMemory = new QueueMemory(options.queued);
  }

  get all(): readonly OpenChat[] {
    return [...this.#chats];
  }

  /** The window is closing: what is stored stays as it is. */
  get closing(): boolean {
    return this.#closing;
  }

  /** Returns the chat with that chat id. */
  find(chatId: string): OpenChat | undefined {
    return this.all.find(({ conversation }) => conversation.id === chatId);
  }

  /** Returns the open chat of a session. */
  ofSession(id: string): OpenChat | undefined {
    return this.all.find(({ conversation }) => conversation.sessionId === id);
  }

  /** Calls a function when the states of chats change. */
  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Opens a chat, new or continued. Its agent isn't started. */
  open(before: EarlierChat | undefined, agent: string | undefined): OpenChat {
    const known = before?.sessionId === undefined ? undefined : this.#ended.get(before.sessionId);
    if (before?.sessionId !== undefined) this.#ended.delete(before.sessionId);
    const chatId = known?.chatId ?? before?.chatId;
    const queue = before?.queue ?? known?.queue ?? (chatId === undefined ? undefined : this.#queueMemory.of(chatId));
    const chat: OpenChat = new OpenChat(
      this.#make(before && { ...before, ...(chatId === undefined ? {} : { chatId }), ...(queue ? { queue } : {}) }, agent, (change) => this.#changed(chat, change)),
    );
    this.#chats.add(chat);
    return chat;
  }

  /** Continues a chat with another conversation, and starts its agent. */
  replace(chat: OpenChat, before: EarlierChat, agent: string): void {
    this.#end(chat.key, chat.conversation);
    chat.conversation = this.#make(before, agent, (change) => this.#changed(chat, change));
    for (const viewer of chat.viewers) viewer.replaced();
    void chat.conversation.start();
  }

  /** Removes a view. A chat without a view goes on if it has something to do. */
  leave(chat: OpenChat, viewer: Viewer): void {
    chat.viewers.delete(viewer);
    if (chat.viewers.size > 0 || !this.#chats.delete(chat)) return;
    this.#chats.add(chat); // as the latest
    this.#settle(chat);
  }

  /** Resolves when nothing of a session is ending. */
  async ended(sessionId: string): Promise<void> {
    await this.#ending.get(sessionId);
  }

  /** Ends a chat that was deleted. */
  async delete(chat: OpenChat): Promise<void> {
    const { key } = chat;
    this.#remove(chat);
    for (const viewer of [...chat.viewers]) viewer.deleted();
    await this.ended(key);
    this.#ended.delete(key);
  }

  /** The open chats with messages, and ended ones that nobody has seen. */
  sessions(): ServedSession[] {
    return [...this.all.flatMap((chat) => describe(chat) ?? []), ...[...this.#ended.values()].flatMap(({ unseen }) => unseen ?? [])];
  }

  /** Tells all chats that the configured agents have changed. */
  agentsChanged(): void {
    for (const { conversation } of this.#chats) conversation.facts.change({ agents: this.#options.agents.names() });
  }

  /** Ends everything. */
  async close(): Promise<void> {
    this.#closing = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await Promise.all([...this.all.map(({ conversation }) => conversation.close()), ...this.#ending.values()]);
  }

  #make(before: EarlierChat | undefined, wanted: string | undefined, changed: (change: Change) => void): Conversation {
    const { agents, traffic = () => {}, onEvent = () => {}, now, chosen, editor, machine, version, heldTimeout = defaultHeldTimeout } = this.#options;
    const names = agents.names();
    const agent = wanted !== undefined && names.includes(wanted) ? wanted : agents.chosen();
    const conversation: Conversation = new Conversation({
      editor,
      machine,
      version,
      agent,
      agents: names,
      command: () => agents.command(agent),
      traffic,
      emit: (change) => {
        // A conversation that was replaced may still report how it ended.
        if (this.all.some((chat) => chat.conversation === conversation)) changed(change);
      },
      onEvent,
      heldTimeout: before?.reloaded ? heldTimeout : 0,
      ...(now ? { now } : {}),
      ...(chosen ? { chosen } : {}),
      ...(before ? { before } : {}),
    });
    return conversation;
  }

  #changed(chat: OpenChat, change: Change): void {
    const { conversation, viewers } = chat;
    if (change.type === "queue" && !this.#closing) this.#queueMemory.keep(conversation.id, change.queue);
    if (change.type === "session" || change.type === "item") this.#noteState(chat);
    if (change.type === "session") this.#options.editor.sessionChanged(change.session);
    for (const viewer of viewers) viewer.changed(change);
    if (viewers.size === 0 && (change.type === "session" || change.type === "queue")) this.#settle(chat);
  }

  #noteState(chat: OpenChat): void {
    chat.noteState();
    this.#tell();
  }

  #tell(): void {
    const states = JSON.stringify(this.sessions());
    if (states === this.#told) return;
    this.#told = states;
    for (const listener of this.#listeners) listener();
  }

  /** Decides what happens to a chat that has no view. */
  #settle(chat: OpenChat): void {
    clearTimeout(this.#timers.get(chat));
    this.#timers.delete(chat);
    if (this.#closing || !this.#chats.has(chat) || chat.viewers.size > 0) return;
    const { conversation, saved } = chat;
    // A server keeps a session and its turn running without this client.
    const goesOn = conversation.shared && this.#options.machine.reconnects;
    const empty = conversation.sessionId === undefined && !conversation.busy;
    // A session that is still being opened has nothing to go on with.
    const opening = saved === undefined && conversation.sessionId !== undefined && conversation.facts.session.status === "starting";
    if (goesOn || empty || opening || (!chat.working && saved && !conversation.live)) return this.#remove(chat);
    if (chat.working) return this.#tell();
    // Ending an agent that saves nothing would lose the chat, so only their number is limited.
    if (saved) this.#timers.set(chat, setTimeout(() => this.#remove(chat), idleTime));
    const idle = this.all.filter((one) => one.viewers.size === 0 && !one.working);
    for (const oldest of idle.slice(0, Math.max(0, idle.length - mostIdle))) this.#remove(oldest);
    this.#tell();
  }

  #remove(chat: OpenChat): void {
    if (!this.#chats.delete(chat)) return;
    clearTimeout(this.#timers.get(chat));
    this.#timers.delete(chat);
    const { conversation, state } = chat;
    const unseen = state === "done" || state === "failed" ? describe(chat) : undefined;
    if (conversation.sessionId !== undefined) {
      this.#ended.set(conversation.sessionId, { chatId: conversation.id, queue: conversation.queue.shown, ...(unseen ? { unseen } : {}) });
      const [oldest] = this.#ended.keys();
      if (oldest !== undefined && this.#ended.size > mostEnded) this.#ended.delete(oldest);
    }
    this.#end(chat.key, conversation);
    this.#tell();
  }

  #end(key: string, conversation: Conversation): void {
    const ending = conversation.close().finally(() => {
      if (this.#ending.get(key) === ending) this.#ending.delete(key);
    });
    this.#ending.set(key, ending);
  }
}

function describe({ conversation, state }: OpenChat): ServedSession | undefined {
  const { sessionId, cwd, facts } = conversation;
  if (sessionId === undefined) return undefined;
  return { id: sessionId, agent: facts.session.agent, cwd: cwd ?? "", title: facts.session.title, state };
}
