/**
 * Stores queued prompts across a reload of the window or page, like drafts: no
 * agent has received them yet.
 */
import { readFromView } from "../shared/fromView.js";
import type { Queue, QueuedPrompt } from "../shared/model.js";

/** Stores the queue. The value read may be anything. */
export interface QueueStore {
  read(): unknown;
  write(value: unknown): void;
}

export class QueueMemory {
  readonly #store: QueueStore | undefined;

  constructor(store: QueueStore | undefined) {
    this.#store = store;
  }

  /** Returns the chat's queue, if this chat was the last one with a queue. */
  of(chatId: string): Queue | undefined {
    const { chatId: kept, prompts } = (this.#store?.read() ?? {}) as { chatId?: unknown; prompts?: unknown };
    if (kept !== chatId || !Array.isArray(prompts)) return undefined;
    const read = prompts.filter(isPrompt).map(({ text, attachments }): QueuedPrompt => ({ id: crypto.randomUUID(), text, attachments }));
    return { prompts: read };
  }

  keep(chatId: string, { prompts }: Queue): void {
    try {
      this.#store?.write(prompts.length > 0 ? { chatId, prompts: prompts.map(({ text, attachments }) => ({ text, attachments })) } : undefined);
    } catch {
      // Storage is full. The queue lives as long as this object.
    }
  }
}

/** Validates a stored prompt like one from the view. */
function isPrompt(value: unknown): value is Pick<QueuedPrompt, "text" | "attachments"> {
  return typeof value === "object" && value !== null && readFromView({ ...value, type: "prompt" }) !== undefined;
}
