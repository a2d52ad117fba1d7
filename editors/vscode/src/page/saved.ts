/**
 * The chats that this browser keeps to show them without the server, in its
 * database. Everything here may fail, because browsers limit or refuse storage:
 * then nothing is kept.
 */
import type { Chat } from "../shared/model.js";

export interface SavedChat {
  /** The session's id. */
  id: string;
  agent: string;
  cwd?: string;
  /** When the server was last known to have this state, in milliseconds since 1970. */
  at: number;
  chat: Chat;
}

const name = "turnwire";
const table = "chats";
/** How many chats are kept, and how long, in milliseconds. */
const most = 20;
const longest = 30 * 24 * 3_600_000;
const off = "turnwire.offline";

export class SavedChats {
  #database: Promise<IDBDatabase> | undefined;

  /** Whether chats are kept. */
  get on(): boolean {
    try {
      return localStorage.getItem(off) === null;
    } catch {
      return false;
    }
  }

  async turn(on: boolean): Promise<void> {
    if (on) return localStorage.removeItem(off);
    localStorage.setItem(off, "off");
    await this.clear();
  }

  async put(saved: SavedChat): Promise<void> {
    if (!this.on) return;
    await this.#write((store) => store.put(saved));
    const all = await this.list();
    if (all.length > most) await this.#write((store) => all.slice(most).forEach(({ id }) => store.delete(id)));
  }

  /** Returns the kept chats, the newest first. */
  async list(now = Date.now()): Promise<SavedChat[]> {
    if (!this.on) return [];
    try {
      const database = await this.#open();
      const all = await ended<SavedChat[]>(database.transaction(table).objectStore(table).getAll());
      return all.filter(({ at }) => now - at < longest).sort((a, b) => b.at - a.at);
    } catch {
      return [];
    }
  }

  /** Forgets everything. */
  clear(): Promise<void> {
    return this.#write((store) => store.clear());
  }

  async #write(change: (store: IDBObjectStore) => unknown): Promise<void> {
    try {
      const transaction = (await this.#open()).transaction(table, "readwrite");
      change(transaction.objectStore(table));
      await new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve();
        transaction.onabort = transaction.onerror = () => reject(transaction.error ?? new Error("aborted"));
      });
    } catch {
      // Nothing is kept.
    }
  }

  #open(): Promise<IDBDatabase> {
    return (this.#database ??= new Promise((resolve, reject) => {
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(table, { keyPath: "id" });
      request.onsuccess = () => resolve(request.result);
      request.onerror = request.onblocked = () => reject(request.error ?? new Error("blocked"));
    }));
  }
}

const ended = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("failed"));
  });
