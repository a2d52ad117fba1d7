/**
 * Formulas: `$…$` and `\(…\)` within a line, `$$…$$` and `\[…\]` displayed. They
 * become code with the class `tex`, which `formulas.ts` replaces.
 *
 * Most dollar signs don't begin a formula: "$5 and $10", "US$5", "$HOME:$PATH".
 */
import type MarkdownIt from "markdown-it";

type StateInline = InstanceType<InstanceType<typeof MarkdownIt>["inline"]["State"]>;
type StateBlock = InstanceType<InstanceType<typeof MarkdownIt>["block"]["State"]>;

/** Characters; a longer formula within a line is text. */
const longest = 1_000;

const word = /[\p{L}\p{N}_]/u;
const space = /\s/;

interface Delimiter {
  open: string;
  close: string;
  display: boolean;
}

const delimiters: Record<string, Delimiter> = {
  $: { open: "$", close: "$", display: false },
  $$: { open: "$$", close: "$$", display: true },
  "\\(": { open: "\\(", close: "\\)", display: false },
  "\\[": { open: "\\[", close: "\\]", display: true },
};

export function maths(parser: InstanceType<typeof MarkdownIt>): void {
  parser.inline.ruler.before("escape", "formula", inline);
  parser.block.ruler.before("paragraph", "formula_block", block, { alt: ["paragraph", "reference", "blockquote", "list"] });
  const code = (source: string, kind: string): string => `<code${kind === "" ? "" : ` class="${kind}"`}>${parser.utils.escapeHtml(source)}</code>`;
  parser.renderer.rules["formula"] = (tokens, index) => code(tokens[index]?.content ?? "", tokens[index]?.info ?? "");
  parser.renderer.rules["formula_block"] = (tokens, index) => {
    const { content = "", info = "", meta } = tokens[index] ?? {};
    return `<p>${code(content, info)}${parser.renderInline(String(meta?.["rest"] ?? ""))}</p>\n`;
  };
}

/** Returns the TeX of a formula's source. */
export function texOf(source: string): string {
  const length = delimiterAt(source, 0)?.open.length ?? 0;
  return source.slice(length, -length).trim();
}

function delimiterAt(text: string, at: number): Delimiter | undefined {
  return delimiters[text.slice(at, at + 2)] ?? delimiters[text.charAt(at)];
}

function inline(state: StateInline, silent: boolean): boolean {
  const { src: text, pos: start, posMax } = state;
  const first = text.charCodeAt(start);
  if (first !== 0x24 && first !== 0x5c) return false; // neither $ nor a backslash
  const delimiter = delimiterAt(text, start);
  if (!delimiter) return false;
  const end = endOf(text.slice(0, Math.min(posMax, start + longest)), start, delimiter);
  if (end === undefined) return false;
  if (!silent) {
    const token = state.push("formula", "code", 0);
    token.content = text.slice(start, end);
    token.info = delimiter.display ? "tex display" : "tex";
  }
  state.pos = end;
  return true;
}

/** Returns the end of the formula that begins at `start`, if one does. */
function endOf(text: string, start: number, { open, close }: Delimiter): number | undefined {
  const from = start + open.length;
  if (open === "$") {
    if (space.test(text.charAt(from)) || word.test(text.charAt(start - 1)) || text.charAt(start - 1) === "$") return undefined;
  }
  for (let at = text.indexOf(close, from); at >= 0; at = text.indexOf(close, at + close.length)) {
    if (escaped(text, at)) continue;
    const tex = text.slice(from, at);
    if (tex.trim() === "" || tex.includes("`")) return undefined;
    const after = text.charAt(at + close.length);
    if (open === "$" && (space.test(text.charAt(at - 1)) || word.test(after) || after === "$")) return undefined;
    return at + close.length;
  }
  return undefined;
}

function escaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charAt(at - 1 - backslashes) === "\\") backslashes++;
  return backslashes % 2 === 1;
}

/**
 * Parses a displayed formula that begins a line. It may have several lines if the first
 * one holds only its delimiter or begins an environment. Then it is a separate block
 * even before its end arrives, so that streaming never splits it.
 */
function block(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const line = (n: number): string => state.src.slice((state.bMarks[n] ?? 0) + (state.tShift[n] ?? 0), state.eMarks[n]);
  const first = line(startLine);
  const delimiter = delimiterAt(first, 0);
  if (!delimiter?.display || (state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  const { open, close } = delimiter;
  const start = first.slice(open.length).trim();
  let next = startLine + 1;
  let end = first.indexOf(close, open.length);
  if (end >= 0) {
    // With more text in the line, it is a formula within a paragraph.
    if (start.slice(0, -close.length).trim() === "" || first.slice(end + close.length).trim() !== "") return false;
  } else {
    if (start !== "" && !start.startsWith("\\begin{")) return false;
    for (; end < 0 && next < endLine && line(next) !== "" && (state.sCount[next] ?? 0) >= state.blkIndent; next++) end = line(next).indexOf(close);
  }
  if (silent) return true;
  const last = line(next - 1);
  const rest = end < 0 ? "" : last.slice(end + close.length);
  const whole = state.getLines(startLine, next, state.blkIndent, false).trimEnd();
  const token = state.push("formula_block", "code", 0);
  token.content = whole.slice(0, whole.length - rest.trimEnd().length).trim();
  token.info = end < 0 ? "" : "tex display";
  token.meta = { rest: rest.trim() };
  token.map = [startLine, next];
  state.line = next;
  return true;
}
