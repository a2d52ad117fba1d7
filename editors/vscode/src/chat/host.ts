/**
 * The host of a view: receives the view's messages and sends what it shows.
 *
 * A view shows one chat at a time. A chat that it leaves goes on. The view may come and
 * go; its host stays.
 */
import type { Change, FromView, ToView } from "../shared/messages.js";
import type { OpenChatEntry, Session } from "../shared/model.js";
import { withoutSequences } from "../shared/sequences.js";
import type { AgentSession } from "./agentSession.js";
import { ChatList } from "./chatList.js";
import { errorText } from "./rpcError.js";
import type { Conversation } from "./conversation.js";
import { earlierChat, type EarlierChat } from "./earlierChat.js";
import type { Memory } from "./memory.js";
import type { OpenChat, Viewer } from "./openChat.js";
import { OpenChats, type OpenChatsOptions } from "./openChats.js";
import { Outbox } from "./outbox.js";
import type { Remembered } from "./remembered.js";
import { rewind } from "./rewind.js";
import { titleOf } from "./sessionFacts.js";
import { Sessions } from "./sessions.js";
import { wholeText } from "./toolCalls.js";

export interface HostOptions extends OpenChatsOptions {
  /** Which chat the view reopens after a reload. */
  memory: Pick<Memory, "read" | "write">;
  /** The window's chats, if it has several views. */
  chats?: OpenChats;
  /** The chat to show first; otherwise the remembered one. */
  first?: OpenChat;
  /** Called when the chat that the view shows was deleted; by default, it shows a new one. */
  deleted?(): void;
}

type Send = (message: ToView) => void;

export class Host implements Viewer {
  readonly chats: OpenChats;
  readonly #options: HostOptions;
  readonly #sessions: Sessions;
  readonly #chatList: ChatList;
  readonly #outbox: Outbox;
  readonly #unwatch: () => void;
  #chat: OpenChat;
  #send: Send | undefined;
  #ready = false;
  #revision = 0;
  #remembered: Remembered | undefined;

  /** Creates a host with the view's last chat. */
  constructor(options: HostOptions) {
    this.#options = options;
    this.chats = options.chats ?? new OpenChats(options);
    this.#sessions = new Sessions(options.machine);
    this.#chatList = new ChatList(this.#sessions, options.editor, this.chats, (message) => void this.post(message));
    this.#outbox = new Outbox((changes) => this.#changes(changes));
    const last = options.memory.read();
    // Sessions belong to their agent. If it is gone, there is nothing to reopen.
    const known = last && options.agents.names().includes(last.agent) ? last : undefined;
    this.#remembered = known;
    this.#chat = options.first ?? (known && this.chats.ofSession(known.sessionId)) ?? this.chats.open(known && earlierChat(known), known?.agent);
    this.#chat.join(this);
    this.#unwatch = this.chats.watch(() => this.#sendStates());
  }

  /** The chat that the view shows. */
  get chat(): OpenChat {
    return this.#chat;
  }

  get conversation(): Conversation {
    return this.#chat.conversation;
  }

  get session(): Session {
    return this.conversation.facts.session;
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

  /** Opens a new chat. If this one is empty, only its agent changes: the user may have typed already. */
  async newSession(agent?: string): Promise<void> {
    const { conversation } = this.#chat;
    const { id, queue, busy, sessionId, transcript } = conversation;
    if (agent !== undefined && sessionId === undefined && !busy && transcript.items.length === 0) {
      return this.chats.replace(this.#chat, { chatId: id, queue: queue.shown }, agent);
    }
    this.show(this.chats.open(undefined, agent));
  }

  /**
   * Leaves the chat for another one, and starts its agent. Synchronous: if two calls
   * interleaved, a chat without a view would stay open.
   */
  show(chat: OpenChat): void {
    const left = this.#chat;
    if (chat === left) return;
    this.#chat = chat;
    chat.join(this);
    this.chats.leave(left, this);
    this.#begin();
  }

  /** Starts the first chat's agent, unless it failed. */
  start(): void {
    this.#begin();
  }

  /** Restarts this chat's agent. */
  async restart(): Promise<void> {
    const chat = this.#chat;
    const { conversation } = chat;
    await conversation.close();
    if (conversation !== chat.conversation) return; // restarted meanwhile
    const { sessionId } = conversation;
    const { title } = conversation.facts.session;
    this.#again(chat, { title, items: conversation.chat.items, ...(sessionId === undefined ? {} : { sessionId }) });
    await chat.conversation.started();
  }

  /** Reopens this chat from the agent's copy, for example after its server was away. */
  async reopen(): Promise<void> {
    const chat = this.#chat;
    const { sessionId, facts, unsent } = chat.conversation;
    this.#again(chat, { ...(unsent ? { unsent } : {}), ...(sessionId === undefined ? {} : { sessionId, title: facts.session.title }) });
    await chat.conversation.started();
  }

  #again(chat: OpenChat, before: Omit<EarlierChat, "chatId" | "queue" | "cwd">): void {
    const { id, cwd, queue, facts } = chat.conversation;
    this.chats.replace(chat, { chatId: id, queue: queue.shown, ...(cwd === undefined ? {} : { cwd }), ...before }, facts.session.agent);
  }

  /** Logs out of this chat's agent, after asking the user. */
  async logOut(): Promise<void> {
    const conversation = this.conversation;
    if (!conversation.live?.canLogOut) return this.#options.editor.tell("This agent does not support logging out.");
    if (await this.#options.editor.confirm(`Log out of ${this.session.agent}?`, "Log Out")) await conversation.logOut();
  }

  /** Ends the view, but not its chat. */
  leave(): void {
    this.#unwatch();
    this.chats.leave(this.#chat, this);
  }

  /** Ends everything, also the other views' chats. */
  async close(): Promise<void> {
    await this.chats.close();
    this.#outbox.flush();
  }

  changed(change: Change): void {
    this.#outbox.push(change);
    if (change.type === "session") this.#remember();
  }

  replaced(): void {
    this.#begin();
  }

  deleted(): void {
    if (this.#options.deleted) return this.#options.deleted();
    this.show(this.chats.open(undefined, this.session.agent));
  }

  async #do(message: FromView): Promise<void> {
    const { editor } = this.#options;
    const chat = this.conversation;
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
        if (chat !== this.conversation) return;
        this.show(this.chats.open(before, this.session.agent));
        this.post({ type: "draft", ...draft });
        return this.conversation.started();
      }
      case "fix":
        return message.fix === "again" ? chat.start() : editor.fix?.(message.fix);
      case "permission":
        chat.requests.permissions.answer(message.requestId, message.optionId);
        return;
      case "refuse":
        return chat.requests.permissions.refuse(message.requestId, message.path, message.change, message.refused);
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
      case "chooseAgent":
        return editor.chooseAgent?.();
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
      case "openOutput":
        return this.#openOutput(message.toolCallId, message.index);
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
    const { queue } = this.conversation;
    const prompt = queue.shown.prompts.find((one) => one.id === id);
    if (prompt && this.post({ type: "draft", text: prompt.text, attachments: prompt.attachments })) queue.take(id);
  }

  async openDiff(toolCallId: string, index: number): Promise<void> {
    const call = this.conversation.chat.items.find((item) => item.id === toolCallId);
    const diff = call?.type === "tool" ? call.content[index] : undefined;
    if (call?.type !== "tool" || diff?.type !== "diff") return;
    await this.#options.editor.openDiff({ chatId: this.conversation.id, toolCallId, index, title: call.title, diff });
  }

  async #openOutput(toolCallId: string, index: number): Promise<void> {
    const { transcript } = this.conversation;
    const call = transcript.find("tool", toolCallId);
    const text = call && wholeText(call, index, transcript.wholes);
    if (text !== undefined) await this.#options.editor.openText(call?.title ?? "", withoutSequences(text));
  }

  /** Lists this agent's chats. */
  #list(): Promise<void> {
    const chat = this.conversation;
    return this.#chatList.show(chat, () => chat === this.conversation);
  }

  async #openSession(id: string): Promise<void> {
    const chat = this.conversation;
    if (id === chat.sessionId) return;
    await this.chats.ended(id); // the session may stay open until its agent has ended
    if (chat !== this.conversation) return;
    const open = this.chats.ofSession(id);
    if (open) return this.show(open);
    const found = this.#sessions.find(id);
    if (!found) return this.#options.editor.tell("This chat no longer exists.");
    const { agent = this.session.agent, ...known } = found;
    this.show(this.chats.open({ chatId: id, sessionId: id, ...known }, agent));
    await this.conversation.started();
  }

  async #rename(id: string, title: string): Promise<void> {
    const { open, live } = this.#owner(id);
    if (title.trim() === "" || !live?.canRename) return;
    await live.rename(id, titleOf(title));
    open?.conversation.facts.title(title);
    await this.#list();
  }

  async #delete(id: string): Promise<void> {
    if (!(await this.#options.editor.confirm("Delete this chat? This cannot be undone.", "Delete"))) return;
    await this.chats.ended(id);
    const { open, live } = this.#owner(id);
    if (!live?.canDelete) return this.#options.editor.tell("This agent does not support deleting chats.");
    await live.delete(id);
    if (open) await this.chats.delete(open);
    await this.#list();
  }

  /** Returns the open chat of a session, and the agent that can change the session: no other process can change an open one. */
  #owner(id: string): { open: OpenChat | undefined; live: AgentSession | undefined } {
    const open = this.chats.ofSession(id);
    return { open, live: (open ?? this.#chat).conversation.live };
  }

  /** Starts what the view shows from now on. */
  #begin(): void {
    this.#chatList.forget();
    this.#remember();
    // Start it before showing it: until it runs nothing can be sent, and the view
    // shows that.
    if (this.session.status !== "failed") void this.conversation.start();
    this.#outbox.clear();
    this.#options.editor.sessionChanged(this.session);
    if (this.#ready) this.#sendChat();
  }

  #changes(changes: Change[]): void {
    this.#revision++;
    this.post({ type: "changes", revision: this.#revision, changes });
  }

  #sendChat(): void {
    this.#outbox.clear();
    this.post({ type: "chat", revision: this.#revision, chat: this.conversation.chat });
    this.#sendStates();
  }

  /** Sends the states of the window's chats. */
  #sendStates(): void {
    const chats = this.chats.sessions().map(({ id, state = "open" }): OpenChatEntry => ({ id, state, current: id === this.conversation.sessionId }));
    this.post({ type: "openChats", chats });
  }

  /** Remembers which chat this window reopens. */
  #remember(): void {
    if (this.chats.closing) return; // keep what was stored when the window was closed
    const { id, sessionId, cwd, busy, facts } = this.conversation;
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
