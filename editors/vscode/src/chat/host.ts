/**
 * The chat host: receives the view's messages and sends what it shows.
 *
 * One chat is open at a time, with its own agent: leaving a chat ends whatever runs
 * in it. The view may come and go; the chat stays. The agent stores the messages; a
 * window only remembers which chat it had open.
 */
import type { Change, FromView, ToView } from "../shared/messages.js";
import type { Queue, Session } from "../shared/model.js";
import { errorText, type Traffic } from "./connection.js";
import { earlierChat, type EarlierChat } from "./earlierChat.js";
import { ChatList } from "./chatList.js";
import type { ChosenMemory } from "./chosen.js";
import { Conversation } from "./conversation.js";
import type { Editor, ShownDiff } from "./editor.js";
import type { WireEvent } from "./events.js";
import { titleOf } from "./sessionFacts.js";
import type { Machine } from "./machine.js";
import type { Memory } from "./memory.js";
import type { Remembered } from "./remembered.js";
import { QueueMemory, type QueueStore } from "./queueMemory.js";
import { Outbox } from "./outbox.js";
import type { Command } from "./command.js";
import { rewind } from "./rewind.js";
import { Sessions } from "./sessions.js";

/** The agents that the user configured. */
export interface Agents {
  names(): string[];
  /** The agent for new chats. */
  chosen(): string;
  /**
   * Returns the command that starts an agent; throws an error with a message for the
   * user.
   */
  command(name: string): Command;
}

export interface HostOptions {
  editor: Editor;
  machine: Machine;
  agents: Agents;
  memory: Pick<Memory, "read" | "write">;
  /** The user's choices, by agent. */
  chosen?: ChosenMemory;
  /** The queued prompts. */
  queued?: QueueStore;
  version: string;
  traffic?: Traffic;
  onEvent?(event: WireEvent): void;
  now?: () => number;
}

type Send = (message: ToView) => void;

export class Host {
  readonly #options: HostOptions;
  readonly #sessions: Sessions;
  readonly #chatList: ChatList;
  readonly #outbox: Outbox;
  #conversation: Conversation;
  #send: Send | undefined;
  #ready = false;
  #closing = false;
  #revision = 0;
  #remembered: Remembered | undefined;
  readonly #queueMemory: QueueMemory;
  /** The queues of chats that were left, by session. */
  readonly #queues = new Map<string, Queue>();
  /** Sessions whose agents are still ending. */
  readonly #leaving = new Map<string, Promise<void>>();

  /** Creates a host with this window's last chat. */
  constructor(options: HostOptions) {
    this.#options = options;
    this.#sessions = new Sessions(options.machine);
    this.#chatList = new ChatList(this.#sessions, options.editor, (message) => void this.post(message));
    this.#outbox = new Outbox((changes) => this.#changes(changes));
    const last = options.memory.read();
    // Sessions belong to their agent. If it is gone, there is nothing to reopen.
    const known = last && options.agents.names().includes(last.agent) ? last : undefined;
    this.#remembered = known;
    this.#queueMemory = new QueueMemory(options.queued);
    const queue = known && this.#queueMemory.of(known.chatId);
    this.#conversation = this.#make(known && { ...earlierChat(known), ...(queue ? { queue } : {}) }, known?.agent);
  }

  get conversation(): Conversation {
    return this.#conversation;
  }

  get session(): Session {
    return this.#conversation.facts.session;
  }

  /** Connects a view. It receives nothing before it reports that it is ready. */
  attach(send: Send): () => void {
    this.#send = send;
    this.#ready = false;
    return () => {
      if (this.#send === send) this.#send = undefined;
    };
  }

  /** Sends the changes that wait for the next frame. */
  flush(): void {
    this.#outbox.flush();
  }

  /**
   * Sends the view a message that isn't part of the chat; returns false if no view is
   * ready.
   */
  post(message: ToView): boolean {
    if (!this.#send || !this.#ready) return false;
    this.#send(message);
    return true;
  }

  /** Handles the view's message. Shows errors to the user. */
  async receive(message: FromView): Promise<void> {
    try {
      await this.#do(message);
    } catch (error) {
      this.#options.editor.tell(errorText(error));
    }
  }

  async newSession(agent?: string): Promise<void> {
    this.#switch(undefined, agent);
  }

  /** Restarts this chat's agent. */
  async restart(): Promise<void> {
    const conversation = this.#conversation;
    await conversation.close();
    // The user may have switched chats while the agent was ending.
    if (conversation !== this.#conversation) return;
    const { id, facts, chat, sessionId, cwd, queue } = conversation;
    const { title, agent } = facts.session;
    const before = { chatId: id, title, items: chat.items, queue: queue.shown, ...(cwd === undefined ? {} : { cwd }) };
    this.#switch(sessionId === undefined ? before : { ...before, sessionId }, agent);
    await this.#conversation.started();
  }

  /** Reopens this chat from the agent's copy, for example after its server was away. */
  async reopen(): Promise<void> {
    const { id, sessionId, cwd, facts, unsent, queue } = this.#conversation;
    const { title, agent } = facts.session;
    const before = { chatId: id, queue: queue.shown, ...(cwd === undefined ? {} : { cwd }), ...(unsent ? { unsent } : {}) };
    this.#switch(sessionId === undefined ? before : { ...before, sessionId, title }, agent);
    await this.#conversation.started();
  }

  /** Logs out of this chat's agent, after asking the user. */
  async logOut(): Promise<void> {
    const conversation = this.#conversation;
    if (!conversation.live?.canLogOut) return this.#options.editor.tell("This agent does not support logging out.");
    if (await this.#options.editor.confirm(`Log out of ${this.session.agent}?`, "Log Out")) await conversation.logOut();
  }

  /** Ends everything. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.#conversation.close();
    await Promise.all(this.#leaving.values());
    this.#outbox.flush();
  }

  async #do(message: FromView): Promise<void> {
    const { editor } = this.#options;
    const chat = this.#conversation;
    switch (message.type) {
      case "ready":
        this.#ready = true;
        // Don't retry a failed agent each time the view opens.
        if (this.session.status !== "failed") void chat.start();
        this.#sendChat();
        return chat.started();
      case "prompt":
        return chat.prompt(message.text, message.attachments);
      case "editQueued":
        return this.#editQueued(message.id);
      case "removeQueued":
        return void chat.queue.take(message.id);
      case "sendQueued":
        return chat.sendQueued(message.id);
      case "resumeQueue":
        return chat.sendQueued();
      case "cancel":
        return chat.cancel();
      case "retry":
        return chat.retry(message.id);
      case "rewind": {
        const { before, draft } = await rewind(chat, message.id, message.undo);
        if (chat !== this.#conversation) return;
        this.#switch(before, this.session.agent);
        this.post({ type: "draft", ...draft });
        return this.#conversation.started();
      }
      case "fix":
        return message.fix === "again" ? chat.start() : editor.fix?.(message.fix);
      case "permission":
        chat.requests.permissions.answer(message.requestId, message.optionId);
        return;
      case "answer": {
        const fault = chat.requests.questions.answer(message.questionId, message.values);
        if (fault) editor.tell(fault);
        return;
      }
      case "decline":
        return chat.requests.questions.decline(message.questionId);
      case "login":
        return chat.requests.logins.choose(message.loginId, message.methodId);
      case "declineLogin":
        return chat.requests.logins.decline(message.loginId);
      case "setOption":
        return chat.setOption(message.optionId, message.value);
      case "newSession":
        return this.newSession(message.agent);
      case "listSessions":
        return this.#list();
      case "moreSessions":
        return this.#chatList.more();
      case "openSession":
        return this.#openSession(message.id);
      case "renameSession":
        return this.#rename(message.id, message.title);
      case "deleteSession":
        return this.#delete(message.id);
      case "findFiles":
        this.post({ type: "files", query: message.query, files: await editor.findFiles(message.query) });
        return;
      case "openDiff":
        return this.openDiff(message.toolCallId, message.index);
      case "reviewChanges":
        return chat.changes.review(message.id);
      case "undoChanges":
        return chat.busy ? editor.tell("A turn is running. Undo its changes when it ends.") : chat.changes.undo(message.id);
      case "openFile":
        return editor.openFile(message.path, message.line);
      case "openLink":
        return editor.openLink(message.href);
      case "copy":
        return editor.copy(message.text);
      case "insert":
        return editor.insert(message.text);
      case "failed":
        return editor.tell(`The chat could not be displayed correctly: ${message.message}`);
    }
  }

  /** Removes a queued prompt, because its text is elsewhere now. */
  #editQueued(id: string): void {
    const { queue } = this.#conversation;
    const prompt = queue.shown.prompts.find((one) => one.id === id);
    if (prompt && this.post({ type: "draft", text: prompt.text, attachments: prompt.attachments })) queue.take(id);
  }

  async openDiff(toolCallId: string, index: number): Promise<void> {
    const call = this.#conversation.chat.items.find((item) => item.id === toolCallId);
    const diff = call?.type === "tool" ? call.content[index] : undefined;
    if (call?.type !== "tool" || diff?.type !== "diff") return;
    await this.#options.editor.openDiff({ toolCallId, index, title: call.title, diff });
  }

  /**
   * Answers a call's request from its diff view, with the only option of that kind.
   * To allow it, the diff must still be everything the call is about, because a call
   * can change while its diff is open.
   */
  decide({ toolCallId, diff }: ShownDiff, kind: "allow_once" | "reject_once"): boolean {
    const { permissions } = this.#conversation.requests;
    const permission = permissions.of(toolCallId);
    const [option, ...others] = permission?.options.filter((o) => o.kind === kind) ?? [];
    if (!permission || !option || others.length > 0) return false;
    const call = this.#conversation.chat.items.find((item) => item.id === toolCallId);
    const diffs = call?.type === "tool" ? call.content.filter((c) => c.type === "diff") : [];
    const seen = diffs.every((d) => d.path === diff.path && d.oldText === diff.oldText && d.newText === diff.newText);
    if (kind === "allow_once" && (diffs.length === 0 || !seen)) return false;
    return permissions.answer(permission.requestId, option.id);
  }

  /** Lists this agent's chats. */
  #list(): Promise<void> {
    const chat = this.#conversation;
    return this.#chatList.show(chat, () => chat === this.#conversation);
  }

  async #openSession(id: string): Promise<void> {
    const chat = this.#conversation;
    if (id === chat.sessionId) return;
    await this.#leaving.get(id); // the session may stay open until its agent has ended
    if (chat !== this.#conversation) return;
    const found = this.#sessions.find(id);
    if (!found) return this.#options.editor.tell("This chat no longer exists.");
    const queue = this.#queues.get(id);
    const { agent = this.session.agent, ...known } = found;
    this.#switch({ chatId: id, sessionId: id, ...known, ...(queue ? { queue } : {}) }, agent);
    await this.#conversation.started();
  }

  async #rename(id: string, title: string): Promise<void> {
    const { live, sessionId, facts } = this.#conversation;
    if (title.trim() === "" || !live?.canRename) return;
    await live.rename(id, titleOf(title));
    if (id === sessionId) facts.title(title);
    await this.#list();
  }

  async #delete(id: string): Promise<void> {
    if (!(await this.#options.editor.confirm("Delete this chat? This cannot be undone.", "Delete"))) return;
    await this.#leaving.get(id); // an open session can't be deleted by another process
    const chat = this.#conversation;
    if (!chat.live?.canDelete) return this.#options.editor.tell("This agent does not support deleting chats.");
    const open = id === chat.sessionId;
    await chat.live.delete(id);
    if (open && chat === this.#conversation) this.#switch(undefined, this.session.agent);
    await this.#list();
  }

  /**
   * Leaves the open chat for another one and starts its agent. Synchronous: if two
   * calls interleaved, the agent of an invisible chat would keep running.
   */
  #switch(before: EarlierChat | undefined, agent: string | undefined): void {
    const left = this.#conversation;
    const key = left.sessionId ?? left.id;
    if (before?.sessionId !== key) this.#queues.set(key, left.queue.shown);
    const leaving = left.close().finally(() => this.#leaving.delete(key));
    this.#leaving.set(key, leaving);
    this.#chatList.forget();
    this.#conversation = this.#make(before, agent);
    this.#remember();
    // Start it before showing it: until it runs nothing can be sent, and the view
    // shows that.
    void this.#conversation.start();
    this.#outbox.clear();
    this.#options.editor.sessionChanged(this.session);
    if (this.#ready) this.#sendChat();
  }

  #make(before: EarlierChat | undefined, wanted: string | undefined): Conversation {
    const { editor, machine, agents, chosen, version, traffic = () => {}, onEvent = () => {}, now } = this.#options;
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
        // A chat that was left may still report how it ended.
        if (this.#conversation === conversation) this.#changed(change);
      },
      onEvent,
      ...(now ? { now } : {}),
      ...(chosen ? { chosen } : {}),
      ...(before ? { before } : {}),
    });
    return conversation;
  }

  #changed(change: Change): void {
    if (change.type === "session") this.#options.editor.sessionChanged(change.session);
    if (change.type === "queue") this.#queueMemory.keep(this.#conversation.id, change.queue);
    this.#outbox.push(change);
    if (change.type === "session") this.#remember();
  }

  #changes(changes: Change[]): void {
    this.#revision++;
    this.post({ type: "changes", revision: this.#revision, changes });
  }

  #sendChat(): void {
    this.#outbox.clear();
    this.post({ type: "chat", revision: this.#revision, chat: this.#conversation.chat });
  }

  /** Remembers which chat this window reopens. */
  #remember(): void {
    if (this.#closing) return; // keep what was stored when the window was closed
    const { id, sessionId, cwd, busy, facts } = this.#conversation;
    const now: Remembered | undefined =
      sessionId === undefined
        ? undefined
        : { chatId: id, sessionId, agent: facts.session.agent, ...(cwd === undefined ? {} : { cwd }), ...(busy ? { busy } : {}) };
    if (JSON.stringify(now) === JSON.stringify(this.#remembered)) return;
    this.#remembered = now;
    try {
      this.#options.memory.write(now);
    } catch (error) {
      this.#options.editor.tell(`This chat will not reopen after a reload: ${errorText(error)}`);
    }
  }
}
