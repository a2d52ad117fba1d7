/**
 * Prevents a click that was meant for something else from allowing what has just
 * appeared: the rule of webview/chat/guard.ts, for the editor's own elements. When one
 * of several appears or disappears, the others move below the pointer, so the time
 * restarts for all of them.
 */
import { consentPause } from "../shared/consent.js";

export class Settling {
  readonly #drawn: () => PromiseLike<unknown>;
  readonly #changed: () => void;
  #settled = false;
  #round = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * `drawn` resolves when the editor has processed what was sent to it; `changed` is
   * called whenever `settled` may have changed.
   */
  constructor(drawn: () => PromiseLike<unknown>, changed: () => void) {
    this.#drawn = drawn;
    this.#changed = changed;
  }

  /** Whether requests can be allowed. */
  get settled(): boolean {
    return this.#settled;
  }

  /** Called when an element appears or disappears. */
  restart(): void {
    this.stop();
    this.#settled = false;
    this.#changed();
    const round = this.#round;
    void this.#drawn().then(() => {
      if (round !== this.#round) return;
      this.#timer = setTimeout(() => {
        this.#settled = true;
        this.#changed();
      }, consentPause);
    });
  }

  stop(): void {
    this.#round++;
    clearTimeout(this.#timer);
  }
}
