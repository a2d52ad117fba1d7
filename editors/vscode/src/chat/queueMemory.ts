/** Keeps what is queued over a reload of the window or the page, as drafts are: nobody has got it yet. */
import { readFromView } from "../shared/fromView.js";
import type { Queue, QueuedPrompt } from "../shared/model.js";

/** Where it is kept. What is read may be anything. */
export interface QueueStore {
  read(): unknown;
  write(value: unknown): void;
}

export class QueueMemory {
  readonly #store: QueueStore | undefined;

  constructor(store: QueueStore | undefined) {
    this.#store = store;
  }

  /** What was queued in that chat, if it was the last one with a queue. */
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
      // There is no room: it stays for as long as this does.
    }
  }
}

/** It is looked at like one that the view sends. */
function isPrompt(value: unknown): value is Pick<QueuedPrompt, "text" | "attachments"> {
  return typeof value === "object" && value !== null && readFromView({ ...value, type: "prompt" }) !== undefined;
}
