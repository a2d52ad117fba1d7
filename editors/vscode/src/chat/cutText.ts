/**
 * Limits for external texts. A text that is too long to read is cut where it
 * hurts least, and marked as cut.
 */

import { cutMark } from "../shared/cut.js";

/** Keeps the beginning and, mostly, the end, which says why a command failed. */
export function cutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = between(text, Math.floor(limit / 4));
  const tail = between(text, text.length - (limit - head));
  return text.slice(0, head) + cutMark + text.slice(tail);
}

/**
 * Returns the nearest position at or before `at` that doesn't split a surrogate
 * pair.
 */
function between(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
