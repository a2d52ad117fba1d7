/**
 * Stores queued prompts across a reload of the window or page, like drafts: no
 * agent has received them yet.
 */
import { readFromView } from "../shared/fromView.js";
import type { Queue, QueuedPrompt } from "../shared/model.js";
import { newId } from "../shared/newId.js";

/** Stores the queue. The value read may be anything. */
export interface QueueStore {
  read(): unknown;
  write(value: unknown): void;
}

/** Most chats whose queues are stored. */
const mostChats = 20;

export class QueueMemory {
  readonly #store: QueueStore | undefined;

  constructor(store: QueueStore | undefined) {
    this.#store = store;
  }

  /** Returns the chat's stored queue. */
  of(chatId: string): Queue | undefined {
    const prompts = this.#read().get(chatId);
    if (!prompts) return undefined;
    return { prompts: prompts.filter(isPrompt).map(({ text, attachments }): QueuedPrompt => ({ id: newId(), text, attachments })) };
  }

  keep(chatId: string, { prompts }: Queue): void {
    const all = this.#read();
    all.delete(chatId);
    if (prompts.length > 0) all.set(chatId, prompts.map(({ text, attachments }) => ({ text, attachments })));
    try {
      this.#store?.write(all.size > 0 ? { chats: [...all].slice(-mostChats) } : undefined);
    } catch {
      // Storage is full. The queue lives as long as this object.
    }
  }

  #read(): Map<string, unknown[]> {
    const { chats } = (this.#store?.read() ?? {}) as { chats?: unknown };
    return new Map(Array.isArray(chats) ? chats.filter(isEntry) : []);
  }
}

const isEntry = (value: unknown): value is [string, unknown[]] =>
  Array.isArray(value) && value.length === 2 && typeof value[0] === "string" && Array.isArray(value[1]);

/** Validates a stored prompt like one from the view. */
function isPrompt(value: unknown): value is Pick<QueuedPrompt, "text" | "attachments"> {
  return typeof value === "object" && value !== null && readFromView({ ...value, type: "prompt" }) !== undefined;
}
