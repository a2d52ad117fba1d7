/**
 * Text from the agent in places of the editor that read more into it than text.
 */

/**
 * For a notification, which shows one line and makes links of `[…](…)`, also such
 * that run commands of the editor: a text must neither be one nor begin one that
 * ends in a link of ours.
 */
export function forNotification(text: string): string {
  return text
    .replace(invisible, "·")
    .replace(/\[/g, "(")
    .replace(/\]/g, ")")
    .replace(/\s+/g, " ")
    .trim();
}

/** Whether a notification shows a text as it is: a second line on the first means something else. */
export const fitsNotification = (text: string): boolean =>
  !/[[\]]|[\r\n\u2028\u2029]/.test(text.trim()) && text.search(invisible) < 0;

/**
 * For a terminal: colours stay; whatever else a sequence can do (set the clipboard,
 * titles or links) is left out.
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

/** The beginning of a sequence at the end of a piece of output: the rest is yet to come. */
export function unfinished(text: string): string {
  const [begun = ""] = /\x1b(?:\[[0-?]*[ -/]*|\][^\x07\x1b]*)?$/.exec(text) ?? [];
  return begun.length < 4_096 ? begun : "";
}

/** What changes the order in which other characters are shown. */
const bidi = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g;
const invisible = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u061c\u202a-\u202e\u2060-\u2069\ufeff]/g;
