/**
 * The agent's replay of a session that continues. It is shown if the chat is empty;
 * otherwise it repeats what the chat shows.
 */
import type { Item } from "../shared/model.js";
import type { Transcript } from "./transcript.js";
import type { Updates } from "./updates.js";

export class Replay {
  /** Updates are not shown. */
  muted = false;
  /** The agent is replaying. */
  playing = false;
  readonly #transcript: Transcript;
  readonly #updates: Updates;
  /** Items that existed before the replay; the replayed ones belong before them. */
  #behind: Item[] = [];

  constructor(transcript: Transcript, updates: Updates) {
    this.#transcript = transcript;
    this.#updates = updates;
  }

  /**
   * `known`: the chat already shows it; `running`: its last turn is still running.
   */
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
