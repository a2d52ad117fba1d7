/**
 * The text being typed that can be completed: a command at the start of a line,
 * or a mention.
 */

export interface Typed {
  kind: "command" | "mention";
  /** The position of the `/` or `@`. */
  start: number;
  query: string;
}

const longestQuery = 200;

export function typedAt(text: string, caret: number): Typed | undefined {
  const before = text.slice(Math.max(0, caret - longestQuery - 2), caret);
  const match = /(?:^|\n)(\/)([^\s/]*)$|(?:^|\s)(@)([^\s@]*)$/.exec(before);
  if (!match) return undefined;
  const query = match[2] ?? match[4] ?? "";
  const start = caret - query.length - 1;
  if (match[1] && start > 0 && text[start - 1] !== "\n") return undefined; // the text was cut in the middle of a line
  return { kind: match[1] ? "command" : "mention", start, query };
}

/**
 * Returns the text with the completion inserted, and the new caret position.
 */
export function completed(text: string, typed: Typed, by: string): { text: string; caret: number } {
  const end = typed.start + 1 + typed.query.length;
  const rest = text.slice(end);
  const inserted = /^\s/.test(rest) ? by : `${by} `;
  return { text: text.slice(0, typed.start) + inserted + rest, caret: typed.start + inserted.length };
}

/** Returns the best matches; those that begin with the query come first. */
export function matching<T>(entries: readonly T[], name: (entry: T) => string, query: string): T[] {
  const wanted = query.toLowerCase();
  const begins = entries.filter((entry) => name(entry).toLowerCase().startsWith(wanted));
  const holds = entries.filter((entry) => name(entry).toLowerCase().indexOf(wanted) > 0);
  return [...begins, ...holds];
}
