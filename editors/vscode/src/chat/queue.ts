/**
 * Prompts that the user sent during a turn. They are sent in order, each when the
 * turn before it ended normally.
 *
 * A turn that was cancelled, failed or stopped early holds the queue: the queued
 * prompts may no longer fit, so the user decides how to continue.
 */
import type { Change } from "../shared/messages.js";
import type { Queue as Shown } from "../shared/model.js";
import { newId } from "../shared/newId.js";
import type { Prompt } from "./turn.js";

/** How a turn ended, for the queue. */
export type TurnEnd = "ended" | "stopped" | "cancelled" | "failed";

const mostQueued = 50;

export class Queue {
  readonly #emit: (change: Change) => void;
  #shown: Shown;
  /** Sent next, however the turn ends, because the user asked for it. */
  #urgent: string | undefined;

  /** `left` are prompts of the same chat that were not sent; they wait for the user. */
  constructor(emit: (change: Change) => void, left: Shown = { prompts: [] }) {
    this.#emit = emit;
    const prompts = left.prompts.map(({ id, text, attachments }) => ({ id, text, attachments }));
    this.#shown = prompts.length > 0 ? { prompts, held: left.held ?? "left" } : { prompts: [] };
  }

  get shown(): Shown {
    return this.#shown;
  }

  /** Returns false if the queue is full. */
  add({ text, attachments }: Prompt): boolean {
    if (this.#shown.prompts.length >= mostQueued) return false;
    this.#show([...this.#shown.prompts, { id: newId(), text, attachments }]);
    return true;
  }

  /** Removes a prompt; returns undefined if it was already sent. */
  take(id: string): Prompt | undefined {
    const found = this.#shown.prompts.find((prompt) => prompt.id === id && !prompt.sending);
    if (found) this.drop(id);
    return found && { text: found.text, attachments: found.attachments };
  }

  /** Returns a prompt that the agent may read during its turn. It can't be taken until it is given back. */
  lend(id: string): Prompt | undefined {
    const found = this.#shown.prompts.find((prompt) => prompt.id === id && !prompt.sending);
    if (found) this.#show(this.#shown.prompts.map((prompt) => (prompt === found ? { ...prompt, sending: true } : prompt)));
    return found && { text: found.text, attachments: found.attachments };
  }

  /** Ends `lend`, unless the prompt was dropped. */
  giveBack(id: string): void {
    if (!this.#shown.prompts.some((prompt) => prompt.id === id)) return;
    this.#show(this.#shown.prompts.map((prompt) => {
      const { sending: _, ...rest } = prompt;
      return prompt.id === id ? rest : prompt;
    }));
  }

  /** Removes a prompt that was sent. */
  drop(id: string): void {
    this.#show(this.#shown.prompts.filter((prompt) => prompt.id !== id));
  }

  /** Sends a prompt as soon as the turn ends. Returns false if it isn't queued. */
  hurry(id: string): boolean {
    if (!this.#shown.prompts.some((prompt) => prompt.id === id)) return false;
    this.#urgent = id;
    return true;
  }

  /** Releases the held queue; returns the given prompt or the first one. */
  release(id = this.#shown.prompts[0]?.id): Prompt | undefined {
    const prompt = id === undefined ? undefined : this.take(id);
    if (prompt) this.#show(this.#shown.prompts, "no");
    return prompt;
  }

  /** Returns the prompt to send after a turn. */
  after(end: TurnEnd): Prompt | undefined {
    const urgent = this.#urgent;
    this.#urgent = undefined;
    const prompt = urgent === undefined ? undefined : this.release(urgent);
    if (prompt) return prompt;
    if (this.#shown.held !== undefined) return undefined;
    // The agent may return a prompt that it has not read, and that one comes first.
    if (end === "ended") return this.#shown.prompts.some(({ sending }) => sending) ? undefined : this.release();
    this.hold(end);
    return undefined;
  }

  hold(why: Exclude<TurnEnd, "ended">): void {
    this.#show(this.#shown.prompts, why);
  }

  #show(prompts: Shown["prompts"], held: Shown["held"] | "no" = this.#shown.held ?? "no"): void {
    if (prompts.length === 0 && this.#shown.prompts.length === 0) return;
    this.#shown = { prompts, ...(held !== "no" && prompts.length > 0 ? { held } : {}) };
    this.#emit({ type: "queue", queue: this.#shown });
  }
}
