/** One turn: its prompt, whether the user cancelled it, and how it ends. */
import type { StopReason } from "@agentclientprotocol/sdk";

import type { Attachment } from "../shared/model.js";

/** The user's text and its attachments. */
export interface Prompt {
  text: string;
  attachments: Attachment[];
}

const patience = 10_000;

export class Turn {
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  get cancelled(): boolean {
    return this.#controller.signal.aborted;
  }

  cancel(): void {
    this.#controller.abort();
  }

  /** Calls a function if the cancelled turn doesn't end soon. */
  ifSlow(warn: () => void): void {
    this.#timer = setTimeout(warn, patience);
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  /**
   * Resolves with the promise's value, or with undefined when the turn is cancelled.
   */
  async orCancelled<T>(promise: Promise<T>): Promise<T | undefined> {
    const { signal } = this.#controller;
    const cancelled = new Promise<undefined>((resolve) => {
      if (signal.aborted) resolve(undefined);
      signal.addEventListener("abort", () => resolve(undefined), { once: true });
    });
    return Promise.race([promise, cancelled]);
  }
}

/** Stop reasons that deserve a notice. */
export const stopReasons: Partial<Record<StopReason, string>> = {
  max_tokens: "The agent stopped: it reached the token limit.",
  max_turn_requests: "The agent stopped: it reached the limit of requests in one turn.",
  refusal: "The agent refused to continue.",
};
