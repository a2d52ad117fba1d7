/**
 * The chat in the view.
 *
 * It applies the host's changes and notifies the subscribers. A part of the page
 * subscribes to one item or list by its id, and only hears about that one.
 */
import type { Change, ToView } from "../../shared/messages.js";
import type { Item, OpenChatEntry, Queue, Session, SessionEntry, ToolCall, ToolContent } from "../../shared/model.js";
import { Lines } from "../text/lines.js";
import { folds, mayFold } from "./runs.js";
import { Tree } from "./tree.js";

type Listener = () => void;

/** Topics to subscribe to: an item's id, or one of these. */
export const topics = { items: " items", session: " session", sessions: " sessions", asks: " asks", queue: " queue", changes: " changes", openChats: " open chats", chunk: (key: number) => ` chunk ${key}`, expanded: (key: string) => ` expanded ${key}` } as const;

export class Store {
  session: Session | undefined;
  queue: Queue = { prompts: [] };
  /** How often the whole chat was received. */
  chats = 0;
  sessions: SessionEntry[] = [];
  /** The open chats, by session. */
  openChats: ReadonlyMap<string, OpenChatEntry> = new Map();
  /** More of them are on their way. */
  listing = true;
  /** There are more that were not requested. */
  moreSessions = false;
  /** Why the list is empty. */
  noSessions = "";
  /** Ids of items with pending requests, oldest first. */
  readonly asking = new Set<string>();
  /** Ids of items with changes that can be undone. */
  private readonly undoable = new Set<string>();
  /** The newest plan. */
  plan: string | undefined;
  private revision = -1;
  /** The newest message of the user, and those before each call. */
  private prompt: string | undefined;
  private prompts = new Map<string, string>();
  private items = new Map<string, Item>();
  tree = new Tree();
  private outputs = new Map<string, Lines[]>();
  private readonly listeners = new Map<string, Set<Listener>>();
  private readonly dirty = new Set<string>();

  /**
   * Applies a message; returns false if an earlier one was missed, so that the
   * chat must be requested again.
   */
  take(message: ToView): boolean {
    if (message.type === "chat") {
      this.reset(message.revision, message.chat.session, message.chat.items);
      this.setQueue(message.chat.queue);
    } else if (message.type === "changes") {
      if (this.revision < 0) return true; // the chat was not requested yet, or is on its way
      if (message.revision !== this.revision + 1) {
        this.revision = -1;
        return false;
      }
      this.revision = message.revision;
      for (const change of message.changes) this.apply(change);
    } else if (message.type === "sessions") {
      this.sessions = message.first ? message.sessions : [...this.sessions, ...message.sessions];
      this.listing = !message.last;
      this.moreSessions = message.more ?? false;
      this.noSessions = message.note ?? "";
      this.dirty.add(topics.sessions);
    } else if (message.type === "openChats") {
      this.openChats = new Map(message.chats.map((chat) => [chat.id, chat]));
      this.dirty.add(topics.openChats);
    }
    return true;
  }

  /** Notifies the subscribers of everything that changed since the last call. */
  flush(): void {
    const topicsNow = [...this.dirty];
    this.dirty.clear();
    for (const topic of topicsNow) this.notify(topic);
  }

  notify(topic: string): void {
    for (const listener of [...(this.listeners.get(topic) ?? [])]) listener();
  }

  subscribe(topic: string, listener: Listener): () => void {
    const set = this.listeners.get(topic) ?? new Set();
    this.listeners.set(topic, set.add(listener));
    return () => {
      set.delete(listener);
      if (set.size === 0 && this.listeners.get(topic) === set) this.listeners.delete(topic);
    };
  }

  item(id: string): Item | undefined {
    return this.items.get(id);
  }

  /** All items, in order of their appearance. */
  all(): Item[] {
    return [...this.items.values()];
  }

  /**
   * Returns the rows of the text or terminal at `index` in a tool call's
   * content.
   */
  lines(id: string, index: number): Lines {
    return this.outputs.get(id)?.[index] ?? new Lines();
  }

  /** Whether file changes below an item can be undone. */
  changesSince(id: string): boolean {
    const last = this.tree.list().findLast((one) => one === id || this.undoable.has(one));
    return last !== undefined && last !== id;
  }

  private reset(revision: number, session: Session, items: Item[]): void {
    for (const id of this.items.keys()) this.dirty.add(id);
    this.revision = revision;
    this.chats++;
    this.items = new Map();
    this.tree = new Tree();
    this.plan = this.prompt = undefined;
    this.prompts = new Map();
    this.outputs = new Map();
    this.asking.clear();
    this.undoable.clear();
    this.dirty.add(topics.asks);
    this.session = session;
    for (const item of items) this.put(item);
    this.dirty.add(topics.items).add(topics.session);
  }

  private apply(change: Change): void {
    switch (change.type) {
      case "item":
        return this.put(change.item);
      case "text":
        return this.addText(change.id, change.text);
      case "output":
        return this.addOutput(change.id, change.index, change.text);
      case "content":
        return this.putContent(change.id, change.index, change.content);
      case "remove":
        return this.remove(change.id);
      case "session":
        this.session = change.session;
        this.dirty.add(topics.session);
        return;
      case "queue":
        this.setQueue(change.queue);
    }
  }

  private setQueue(queue: Queue = { prompts: [] }): void {
    this.queue = queue;
    this.dirty.add(topics.queue);
  }

  private put(item: Item): void {
    const old = this.items.get(item.id);
    this.items.set(item.id, item);
    if (old === undefined) this.place(item);
    if (item.type === "tool") {
      const before = old?.type === "tool" ? old.content : [];
      item.content.forEach((content, index) => this.readOutput(item.id, index, before[index], content));
    }
    this.dirty.add(item.id);
    if (item.type === "changes") this.noteChanges(item.id, item.undo);
    if (folds(old) !== folds(item)) this.dirty.add(this.chunkTopic(item.id));
    const answers = item.type === "question" || item.type === "login";
    this.noteAsking(item.id, item.type === "tool" ? item.permission !== undefined : answers && item.answer === undefined);
  }

  private noteChanges(id: string, undoable: boolean): void {
    if (undoable) this.undoable.add(id);
    else this.undoable.delete(id);
    this.dirty.add(topics.changes);
  }

  private noteAsking(id: string, asks: boolean): void {
    if (this.asking.has(id) === asks) return;
    if (asks) this.asking.add(id);
    else this.asking.delete(id);
    this.dirty.add(topics.asks);
    for (const at of this.tree.path(id)) this.dirty.add(at).add(this.chunkTopic(at));
  }

  private chunkTopic(id: string): string {
    const chunk = this.tree.chunkOf(id);
    return chunk ? topics.chunk(chunk.key) : topics.items;
  }

  /** Whether a tool call, or one inside it, has a pending request. */
  asks(id: string): boolean {
    return [...this.asking].some((one) => this.tree.path(one).includes(id));
  }

  /** Returns the text of the prompt of a call's turn. */
  promptOf(id: string): string {
    const item = this.items.get(this.prompts.get(id) ?? "");
    return item?.type === "user" ? item.text : "";
  }

  private place(item: Item): void {
    if (item.type === "plan") this.plan = item.id;
    if (item.type === "user") this.prompt = item.id;
    if (item.type === "tool" && this.prompt !== undefined) this.prompts.set(item.id, this.prompt);
    this.addToTree(item.id, item.type === "tool" ? item.parent : undefined);
  }

  private addToTree(id: string, wanted?: string): void {
    const chunk = this.tree.add(id, wanted, mayFold(this.items.get(id)));
    const parent = this.tree.parentOf(id);
    this.dirty.add(topics.chunk(chunk.key));
    if (parent === undefined) this.dirty.add(topics.items);
    else if (chunk.ids.length === 1) this.dirty.add(parent).add(this.chunkTopic(parent));
  }

  private addText(id: string, text: string): void {
    const item = this.items.get(id);
    if (item?.type !== "message" && item?.type !== "thought" && item?.type !== "user") return;
    this.items.set(id, { ...item, text: item.text + text });
    this.dirty.add(id);
  }

  private addOutput(id: string, index: number, text: string): void {
    const tool = this.items.get(id);
    const content = tool?.type === "tool" ? tool.content[index] : undefined;
    if (tool?.type !== "tool" || (content?.type !== "text" && content?.type !== "terminal")) return;
    this.setContent(tool, index, { ...content, text: content.text + text });
    this.lines(id, index).append(text);
  }

  private putContent(id: string, index: number, content: ToolContent): void {
    const tool = this.items.get(id);
    if (tool?.type !== "tool" || index < 0 || index > tool.content.length) return;
    const before = tool.content[index];
    this.setContent(tool, index, content);
    this.readOutput(id, index, before, content);
  }

  private setContent(tool: ToolCall, index: number, content: ToolContent): void {
    const all = [...tool.content];
    all[index] = content;
    this.items.set(tool.id, { ...tool, content: all });
    this.dirty.add(tool.id);
  }

  /**
   * Splits a text that was sent as a whole; if it only grew, its existing rows
   * are kept.
   */
  private readOutput(id: string, index: number, before: ToolContent | undefined, now: ToolContent): void {
    const text = outputText(now);
    if (text === undefined) return;
    const outputs = this.outputs.get(id) ?? [];
    this.outputs.set(id, outputs);
    const old = outputs[index];
    const oldText = before === undefined ? undefined : outputText(before);
    if (old && oldText !== undefined && text.startsWith(oldText)) old.append(text.slice(oldText.length));
    else outputs[index] = new Lines(text);
  }

  private remove(id: string): void {
    if (!this.items.delete(id)) return;
    this.noteAsking(id, false);
    this.noteChanges(id, false);
    this.dirty.add(topics.items).add(id).add(this.chunkTopic(id)).add(this.tree.parentOf(id) ?? topics.items);
    for (const child of this.tree.remove(id)) this.addToTree(child);
    this.outputs.delete(id);
    this.prompts.delete(id);
  }
}

function outputText(content: ToolContent): string | undefined {
  return content.type === "text" || content.type === "terminal" ? content.text : undefined;
}
