/**
 * The chats that were, in a folder of their own: an index, and a file for each chat.
 *
 * What is kept is bounded: the newest chats, and of each the newest items. The files
 * are ours, but a disk may fail: what cannot be read was never there.
 */
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Item } from "../shared/model.js";

const maxChats = 50;
const maxBytes = 2 << 20;

export interface Entry {
  id: string;
  title: string;
  named: boolean;
  agent: string;
  /** The protocol's session, for agents that can go on with one. */
  sessionId?: string;
  updatedAt: string;
}

interface Index {
  current?: string;
  entries: Entry[];
}

const isId = (id: unknown): id is string => typeof id === "string" && /^[0-9a-f-]{36}$/.test(id);

export class History {
  readonly #folder: string;
  #index: Index | undefined;
  // One after the other: two writers of one file would mix.
  #last: Promise<unknown> = Promise.resolve();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The newest first. */
  list(): Promise<Entry[]> {
    return this.#inOrder(async () => [...(await this.#read()).entries]);
  }

  /** The chat that was open last. */
  current(): Promise<Entry | undefined> {
    return this.#inOrder(async () => {
      const { current, entries } = await this.#read();
      return entries.find((e) => e.id === current);
    });
  }

  setCurrent(id: string | undefined): Promise<void> {
    return this.#inOrder(async () => {
      const { entries } = await this.#read();
      await this.#write(id === undefined ? { entries } : { current: id, entries });
    });
  }

  /** The items of a chat, as they were when nothing of it ran any more. */
  items(id: string): Promise<Item[]> {
    return this.#inOrder(async () => {
      const items: unknown = await this.#json(this.#file(id));
      return Array.isArray(items) ? items.filter(isItem).map(settled) : [];
    });
  }

  save(entry: Entry, items: readonly Item[]): Promise<void> {
    return this.#inOrder(async () => {
      if (!isId(entry.id)) return;
      await this.#store(this.#file(entry.id), JSON.stringify(newest(items.map(settled))));
      await this.#put(entry);
    });
  }

  /** Another title, for a chat that is not open. */
  put(entry: Entry): Promise<void> {
    return this.#inOrder(() => this.#put(entry));
  }

  delete(id: string): Promise<void> {
    return this.#inOrder(async () => {
      const { current, entries } = await this.#read();
      const kept = entries.filter((e) => e.id !== id);
      await this.#write(current === undefined || current === id ? { entries: kept } : { current, entries: kept });
      if (isId(id)) await rm(this.#file(id), { force: true });
    });
  }

  async #put(entry: Entry): Promise<void> {
    const { current, entries } = await this.#read();
    const all = [entry, ...entries.filter((e) => e.id !== entry.id)].sort((a, b) => b.updatedAt.localeCompare(a.updatedAt));
    await this.#write({ ...(current === undefined ? {} : { current }), entries: all.slice(0, maxChats) });
    for (const { id } of all.slice(maxChats)) await rm(this.#file(id), { force: true });
  }

  async #read(): Promise<Index> {
    if (!this.#index) {
      const index = await this.#json(join(this.#folder, "index.json"));
      const { current, entries } = typeof index === "object" && index !== null ? (index as Partial<Index>) : {};
      this.#index = {
        ...(isId(current) ? { current } : {}),
        entries: Array.isArray(entries) ? entries.filter(isEntry) : [],
      };
    }
    return this.#index;
  }

  async #write(index: Index): Promise<void> {
    this.#index = index;
    await this.#store(join(this.#folder, "index.json"), JSON.stringify(index));
  }

  async #json(file: string): Promise<unknown> {
    try {
      return JSON.parse(await readFile(file, "utf8"));
    } catch {
      return undefined;
    }
  }

  /** Whole or not at all, and for nobody else: chats hold what people wrote and read. */
  async #store(file: string, text: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    await writeFile(`${file}.new`, text, { mode: 0o600 });
    await rename(`${file}.new`, file);
  }

  #file(id: string): string {
    return join(this.#folder, `${id}.json`);
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== "object" || value === null) return false;
  const e = value as Partial<Entry>;
  return isId(e.id) && typeof e.title === "string" && typeof e.agent === "string" && typeof e.updatedAt === "string";
}

function isItem(value: unknown): value is Item {
  return typeof value === "object" && value !== null && "type" in value && "id" in value && typeof value.id === "string";
}

/** An item when its turn is over: what waited or ran does so no more. */
function settled(item: Item): Item {
  switch (item.type) {
    case "tool": {
      const { permission, progress: _, ...call } = item;
      const open = call.status === "pending" || call.status === "in_progress";
      const decided = permission ? { ...call, decision: "Not answered" } : call;
      return open ? { ...decided, status: "cancelled", ended: call.ended ?? call.started } : decided;
    }
    case "question":
      return item.answer === undefined ? { ...item, answer: "Not answered" } : item;
    case "login": {
      const { trying: _, ...login } = item;
      return { ...login, answer: item.answer ?? "Not logged in" };
    }
    case "thought":
      return item.ended === undefined ? { ...item, ended: item.started } : item;
    default:
      return item;
  }
}

/** As many of the last items as fit; one that leaves no room for others stays behind. */
function newest(items: readonly Item[]): Item[] {
  const kept: Item[] = [];
  let room = maxBytes;
  for (const item of [...items].reverse()) {
    const fitting = JSON.stringify(item).length <= maxBytes / 2 ? item : tooLarge(item);
    room -= JSON.stringify(fitting).length;
    if (room < 0) break;
    kept.unshift(fitting);
  }
  return kept;
}

const tooLarge = ({ id }: Item): Item => ({ type: "notice", id, severity: "info", title: "What stood here was too large to be kept." });
