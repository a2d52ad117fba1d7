/**
 * The output of terminals that tool calls show: the agent's own, reported in
 * `_meta`, and those that run here.
 *
 * Output may arrive before its call. Huge output is cut in its middle, but rarely,
 * because each cut sends the whole text again.
 */
import type { WholeTexts } from "./wholeTexts.js";

const kept = 128 << 10;
const mostScreens = 500;

export interface Screen {
  text: string;
  exitCode?: number;
  signal?: string;
}

/** The key of a terminal's whole output. */
export const wholeScreen = (id: string): string => `terminal ${id}`;

export class Screens {
  /** The whole of texts that are cut here or in the calls' content. */
  readonly wholes: WholeTexts;
  readonly #screens = new Map<string, Screen>();

  constructor(wholes: WholeTexts) {
    this.wholes = wholes;
  }

  get(id: string): Screen {
    return this.#screens.get(id) ?? { text: "" };
  }

  /**
   * Appends to a screen; returns false if it was cut, so that all of it must be
   * sent.
   */
  print(id: string, text: string): boolean {
    const screen = this.get(id);
    const all = screen.text + text;
    const grows = all.length <= kept * 1.5;
    const key = wholeScreen(id);
    this.wholes.append(key, text);
    this.#set(id, { ...screen, text: grows ? all : this.wholes.cut(key, this.wholes.get(key) ?? all, kept) });
    return grows;
  }

  exit(id: string, exitCode?: number | null, signal?: string | null): void {
    const { text } = this.get(id);
    this.#set(id, { text, ...(typeof exitCode === "number" ? { exitCode } : {}), ...(signal ? { signal } : {}) });
  }

  #set(id: string, screen: Screen): void {
    this.#screens.set(id, screen);
    if (this.#screens.size <= mostScreens) return;
    const [oldest] = this.#screens.keys();
    if (oldest !== undefined) this.#screens.delete(oldest);
  }
}
