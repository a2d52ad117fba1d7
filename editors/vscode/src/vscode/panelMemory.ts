/** Stores which chats the editor tabs show, so that they come back after a reload. */
import { remembered, type Remembered } from "../chat/remembered.js";
import type { StateFile } from "../chat/stateFile.js";

const mostStored = 50;

export class PanelMemory {
  readonly #file: StateFile;
  /** The tabs' chats, by chat id. */
  readonly #chats = new Map<string, Remembered>();
  /** The stored chats of tabs that were not restored yet. */
  readonly #stored: Map<string, Remembered>;

  constructor(file: StateFile) {
    this.#file = file;
    const stored = file.read();
    const chats = Array.isArray(stored) ? stored.flatMap((value) => remembered(value) ?? []) : [];
    this.#stored = new Map(chats.map((chat) => [chat.chatId, chat]));
  }

  /**
   * Returns the memory of a restored tab. The editor may have stored the id of its chat too
   * early; then it is any chat whose tab was not restored.
   */
  restore(chatId: string | undefined): TabMemory {
    const [any] = this.#stored.keys();
    const id = chatId !== undefined && this.#stored.has(chatId) ? chatId : any;
    const chat = id === undefined ? undefined : this.#stored.get(id);
    if (id !== undefined) this.#stored.delete(id);
    const memory = this.add();
    memory.write(chat);
    return { ...memory, read: () => chat };
  }

  /** Returns the memory of a new tab. */
  add(): TabMemory {
    let shown: string | undefined;
    return {
      read: () => undefined,
      write: (chat) => {
        if (shown !== undefined) this.#chats.delete(shown);
        shown = chat?.chatId;
        if (chat) this.#chats.set(chat.chatId, chat);
        this.#file.write([...this.#stored.values(), ...this.#chats.values()].slice(-mostStored));
      },
    };
  }
}

export interface TabMemory {
  read(): Remembered | undefined;
  /** Stores the tab's chat; `undefined` if it is empty, or the tab was closed. */
  write(chat: Remembered | undefined): void;
}
