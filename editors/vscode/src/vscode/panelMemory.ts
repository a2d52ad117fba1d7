/** Stores which chats the editor tabs show, so that they come back after a reload. */
import { remembered, type Remembered } from "../chat/remembered.js";
import type { StateFile } from "../chat/stateFile.js";

const mostStored = 50;

export class PanelMemory {
  readonly #file: StateFile;
  readonly #chats: Map<string, Remembered>;

  constructor(file: StateFile) {
    this.#file = file;
    const stored = file.read();
    const chats = Array.isArray(stored) ? stored.flatMap((value) => remembered(value) ?? []) : [];
    this.#chats = new Map(chats.map((chat) => [chat.chatId, chat]));
  }

  /** Returns the memory of one tab; `chatId` is the chat that it showed. */
  of(chatId: string | undefined): { read(): Remembered | undefined; write(chat: Remembered | undefined): void } {
    let shown = chatId;
    return {
      read: () => (chatId === undefined ? undefined : this.#chats.get(chatId)),
      write: (chat) => {
        if (shown !== undefined) this.#chats.delete(shown);
        shown = chat?.chatId;
        if (chat) this.#chats.set(chat.chatId, chat);
        this.#file.write([...this.#chats.values()].slice(-mostStored));
      },
    };
  }
}
