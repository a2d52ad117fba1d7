/** Finds parts of a call's content that repeat others: output is shown once. */
import type { ToolContent } from "../../shared/model.js";
import { plain } from "../text/terminal.js";

/**
 * Longer texts aren't compared, because every streamed piece compares them
 * again.
 */
const longest = 200_000;

/**
 * Returns the indexes of repeated parts. A terminal is kept, as is the first of
 * two equal texts; `word` is the card's word for its state.
 */
export function repeats(content: readonly ToolContent[], word: string): Set<number> {
  const found = new Set<number>();
  const spoken = content.flatMap((part, index) => (part.type === "text" || part.type === "terminal" ? [{ part, index }] : []));
  const [only, ...others] = spoken;
  if (others.length === 0 && (only?.part.text.length ?? 0) > 2 * word.length) return found;
  const known = new Set<string>();
  for (const { part, index } of [...spoken].sort((a, b) => rank(a.part) - rank(b.part))) {
    const text = part.text.length > longest ? "" : bare(part.text);
    if (text === "") continue;
    if (part.type === "text" && (known.has(text) || text.toLowerCase() === word.toLowerCase())) found.add(index);
    known.add(text);
  }
  return found;
}

const rank = ({ type }: ToolContent): number => (type === "terminal" ? 0 : 1);

/** Removes colours and a code block's fence. */
function bare(text: string): string {
  const unfenced = /^```[^\n]*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text;
  return plain(unfenced).replace(/\s+$/gm, "");
}
