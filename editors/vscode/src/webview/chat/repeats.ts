/** Which parts of a call's content say what another one says: output is shown once. */
import type { ToolContent } from "../../shared/model.js";
import { plain } from "../text/terminal.js";

/** What is longer is not compared: it would be, with every piece that comes. */
const longest = 200_000;

/** Their indexes. A terminal stays, and of two texts the first; `word` is what the card says of how it goes. */
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

/** Without colours, and without the fence of a block of code. */
function bare(text: string): string {
  const unfenced = /^```[^\n]*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text;
  return plain(unfenced).replace(/\s+$/gm, "");
}
