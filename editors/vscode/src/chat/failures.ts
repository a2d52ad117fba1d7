/** Shows why a turn failed or the agent could not be started, and what helps. */
import type { Fix } from "../shared/model.js";
import type { Transcript } from "./transcript.js";
import type { Updates } from "./updates.js";

export class Failures {
  readonly #transcript: Transcript;
  readonly #updates: Updates;
  readonly #available: readonly Fix[];
  /** The id of the notice that the agent could not be started. */
  #notStarted: string | undefined;

  constructor(transcript: Transcript, updates: Updates, available: readonly Fix[] = []) {
    this.#transcript = transcript;
    this.#updates = updates;
    this.#available = available;
  }

  /** Shows a failure; `retry` offers to send the prompt again. Returns the notice's id. */
  show(reason: string, helps: readonly Fix[], retry = false): string {
    const [title = reason, ...rest] = reason.split("\n");
    // A retry restarts the agent anyway.
    const fixes = helps.filter((fix) => this.#available.includes(fix) && !(retry && fix === "again"));
    return this.#updates.notice("error", title, rest.join("\n").trim(), { retry, fixes });
  }

  /** Shows why the agent could not be started, until it is. */
  notStarted(reason: string, helps: readonly Fix[]): void {
    this.#notStarted = this.show(reason, helps);
  }

  /** Called when the agent starts, or has started. */
  started(): void {
    if (this.#notStarted !== undefined) this.#transcript.remove(this.#notStarted);
    this.#notStarted = undefined;
  }
}
