/**
 * Limits for texts that come from outside. What is too long for a person to read
 * is cut where it is least missed, and says that it was.
 */

const marker = "\n… a part of this is left out …\n";

/** Keeps the beginning and, mostly, the end: there stands why a command failed. */
export function cutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = between(text, Math.floor(limit / 4));
  const tail = between(text, text.length - (limit - head));
  return text.slice(0, head) + marker + text.slice(tail);
}

/** The nearest place at or before `at` that does not part a pair of surrogates. */
function between(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
