/** The agent's text, made safe for parts of the editor that interpret text. */

/**
 * For a notification, which shows one line and turns `[…](…)` into links, even into
 * ones that run commands. The text must not contain a link, nor begin one that ends
 * with our own.
 */
export function forNotification(text: string): string {
  return text
    .replace(invisible, "·")
    .replace(/\[/g, "(")
    .replace(/\]/g, ")")
    .replace(/\s+/g, " ")
    .trim();
}

/**
 * Whether a notification shows a text unchanged. Notifications have only one line,
 * and joined lines could mean something else.
 */
export const fitsNotification = (text: string): boolean =>
  !/[[\]]|[\r\n\u2028\u2029]/.test(text.trim()) && text.search(invisible) < 0;

/**
 * For a terminal: keeps colours and drops everything else a sequence can do (set
 * the clipboard, titles or links).
 */
export function cleanOutput(text: string): string {
  return text
    .replace(/\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?/g, "")
    .replace(/\x1b[PX^_][^\x1b]*(?:\x1b\\)?/g, "")
    .replace(/\x1b(?!\[[0-9;:]*m)(?:\[[0-?]*[ -/]*[@-~])?/g, "")
    .replace(/[\x00-\x07\x0b-\x0c\x0e-\x1a\x1c-\x1f\x7f\x80-\x9f]/g, "")
    .replace(bidi, "·")
    .replace(/\r?\n/g, "\r\n");
}

/**
 * Returns an incomplete sequence at the end of a piece of output; the rest is still
 * to come.
 */
export function unfinished(text: string): string {
  const [begun = ""] = /\x1b(?:\[[0-?]*[ -/]*|\][^\x07\x1b]*)?$/.exec(text) ?? [];
  return begun.length < 4_096 ? begun : "";
}

/** Characters that change the order of other characters. */
const bidi = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g;
const invisible = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u061c\u202a-\u202e\u2060-\u2069\ufeff]/g;
