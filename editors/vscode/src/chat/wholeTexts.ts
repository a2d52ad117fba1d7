/**
 * The whole of texts that the chat shows cut, so that the editor can open them. Their
 * total size is limited; the oldest are dropped.
 */
import { cutMiddle } from "./cutText.js";

/** In characters: of all texts, and of one. */
const mostKept = 64 << 20;
const longest = 16 << 20;

export class WholeTexts {
  readonly #texts = new Map<string, string>();
  #size = 0;

  /** Returns the text, cut if it is longer than the limit; then the whole is kept. */
  cut(key: string, text: string, limit: number): string {
    const short = cutMiddle(text, limit);
    if (short === text) this.#drop(key);
    else this.#keep(key, text);
    return short;
  }

  /** Appends to a text that is kept. */
  append(key: string, text: string): void {
    const whole = this.#texts.get(key);
    if (whole !== undefined) this.#keep(key, whole + text);
  }

  get(key: string): string | undefined {
    return this.#texts.get(key);
  }

  #keep(key: string, text: string): void {
    this.#drop(key);
    // Cut rarely: a cut copies the whole text.
    const kept = text.length > longest * 1.5 ? cutMiddle(text, longest) : text;
    this.#texts.set(key, kept);
    this.#size += kept.length;
    for (const oldest of this.#texts.keys()) {
      if (this.#size <= mostKept) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#size -= this.#texts.get(key)?.length ?? 0;
    this.#texts.delete(key);
  }
}
