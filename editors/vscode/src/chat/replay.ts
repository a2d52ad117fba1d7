/**
 * What the agent plays back of a session that goes on. It is shown where the chat has
 * nothing of it yet, and else only repeats what the chat has.
 */
import type { Item } from "../shared/model.js";
import type { Transcript } from "./transcript.js";
import type { Updates } from "./updates.js";

export class Replay {
  /** Updates are not shown. */
  muted = false;
  /** The agent plays back. */
  playing = false;
  readonly #transcript: Transcript;
  readonly #updates: Updates;
  /** What stood here before the agent began to play back what stands before it. */
  #behind: Item[] = [];

  constructor(transcript: Transcript, updates: Updates) {
    this.#transcript = transcript;
    this.#updates = updates;
  }

  /** `known`: the chat shows it already; `running`: its last turn goes on. */
  step(step: "begins" | "ends" | "fails", known: boolean, running: boolean): void {
    this.muted = step === "begins" && known;
    this.playing = step === "begins";
    if (known) return;
    if (step === "begins") {
      this.#behind = this.#transcript.items;
      this.#transcript.clear();
      this.#updates.replay(true);
      return;
    }
    this.#updates.replay(false, running);
    if (step === "fails") this.#transcript.clear();
    for (const item of this.#behind) this.#transcript.put(item);
    this.#behind = [];
  }
}
