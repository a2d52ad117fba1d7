/**
 * Prompts that the person has typed while a turn ran. They are sent one after the
 * other, each when the turn before it has ended as it should.
 *
 * A turn that was cancelled, that failed or that stopped early holds the queue: what
 * was typed before it may not fit any more, and so the person says how to go on.
 */
import type { Change } from "../shared/messages.js";
import type { Queue as Shown } from "../shared/model.js";
import type { Prompt } from "./turn.js";

/** How a turn has ended, as the queue needs to know it. */
export type TurnEnd = "ended" | "stopped" | "cancelled" | "failed";

const mostQueued = 50;

export class Queue {
  readonly #emit: (change: Change) => void;
  #shown: Shown;
  /** Sent next, however the turn ends: the person has asked for it. */
  #urgent: string | undefined;

  /** `left` are prompts of the same chat that could not be sent before; they wait for the person. */
  constructor(emit: (change: Change) => void, left: Shown = { prompts: [] }) {
    this.#emit = emit;
    this.#shown = left.prompts.length > 0 ? { ...left, held: left.held ?? "left" } : { prompts: [] };
  }

  get shown(): Shown {
    return this.#shown;
  }

  /** False where there is no room. */
  add({ text, attachments }: Prompt): boolean {
    if (this.#shown.prompts.length >= mostQueued) return false;
    this.#show([...this.#shown.prompts, { id: crypto.randomUUID(), text, attachments }]);
    return true;
  }

  /** Takes a prompt out; nothing where it was sent already. */
  take(id: string): Prompt | undefined {
    const found = this.#shown.prompts.find((prompt) => prompt.id === id);
    if (found) this.#show(this.#shown.prompts.filter((prompt) => prompt !== found));
    return found && { text: found.text, attachments: found.attachments };
  }

  /** That prompt is sent when the turn is over. False where it is not there. */
  hurry(id: string): boolean {
    if (!this.#shown.prompts.some((prompt) => prompt.id === id)) return false;
    this.#urgent = id;
    return true;
  }

  /** Goes on after it was held, with that prompt or with the first. */
  release(id = this.#shown.prompts[0]?.id): Prompt | undefined {
    const prompt = id === undefined ? undefined : this.take(id);
    if (prompt) this.#show(this.#shown.prompts, "no");
    return prompt;
  }

  /** What is sent now that a turn is over. */
  after(end: TurnEnd): Prompt | undefined {
    const urgent = this.#urgent;
    this.#urgent = undefined;
    const prompt = urgent === undefined ? undefined : this.release(urgent);
    if (prompt) return prompt;
    if (this.#shown.held !== undefined) return undefined;
    if (end === "ended") return this.release();
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
