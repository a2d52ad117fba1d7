/**
 * Makes invisible characters visible if they change how text looks.
 *
 * A command may look like `rm safe` on the screen and do something else:
 * bidirectional controls can reorder letters, and zero-width characters can
 * make different names look equal. Such a character is written out as ‹U+202E›.
 * Terminal controls are shown the same way, so that nothing obeys them.
 */

/** Bidirectional controls, zero-width characters, tags, and controls other than tab and line feed. */
const hidden =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

/** Joiners, which some scripts and many emoji need; only written out next to plain letters. */
const joiners = /(?<=^|[\u0000-\u024f])[\u200c\u200d]|[\u200c\u200d](?=$|[\u0000-\u024f])/gu;

const any = /[^\t\n\u0020-\u007e]/;

function written(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `‹U+${code.toString(16).toUpperCase().padStart(4, "0")}›`;
}

/**
 * Returns the text with hidden characters written out; lines and tabs are kept.
 */
export function visible(text: string): string {
  if (!any.test(text)) return text;
  return text.replace(/\r\n/g, "\n").replace(hidden, written).replace(joiners, written);
}

/** The same on one line: for titles, names and labels. */
export function visibleLine(text: string): string {
  return visible(text.replace(/\s+/g, " ").trim());
}
