/**
 * Splits a growing Markdown text into blocks.
 *
 * All blocks but the last are finished: more text can't change them, and they
 * are never parsed again. So the cost of a streamed piece depends on its block,
 * not on the text before. (The price: a reference link only works if its
 * definition is in the same block.)
 */
import type { Token } from "markdown-it";
import { visible } from "../text/visible.js";
import { parser } from "./parser.js";

/** An unfinished block longer than this is cut, at a line end if possible. */
export const longestBlock = 8_000;

export interface Split {
  /** The newly finished blocks, as Markdown. */
  finished: string[];
  /** The block that is still growing. */
  open: string;
}

export class GrowingMarkdown {
  /** The text that isn't in a finished block yet. */
  private open = "";

  append(text: string): Split {
    this.open += text;
    if (this.open.includes("\r\n")) this.open = this.open.replace(/\r\n/g, "\n");
    const finished: string[] = [];
    while (this.open.length > longestBlock) finished.push(this.cut());
    const end = finishedLength(this.open);
    if (end > 0) finished.push(visible(this.open.slice(0, end)));
    this.open = this.open.slice(end);
    return { finished, open: visible(this.open) };
  }

  /**
   * Cuts a piece off a block that has grown too long; a code block continues in
   * the rest.
   */
  private cut(): string {
    const head = this.open.slice(0, longestBlock);
    const finished = finishedLength(head);
    const lineEnd = head.lastIndexOf("\n") + 1;
    const length = finished || (lineEnd > longestBlock / 2 ? lineEnd : wholeCharacters(head));
    const piece = head.slice(0, length);
    this.open = (finished ? "" : openFence(piece)) + this.open.slice(length);
    return visible(piece);
  }
}

/**
 * Returns how much of the text is in blocks that are followed by another one.
 */
function finishedLength(text: string): number {
  const lines = lineStarts(text);
  let end = 0;
  for (const token of blocks(text)) {
    const start = token.level === 0 && token.nesting >= 0 ? token.map?.[0] : undefined;
    // An unfinished line may still turn out to continue the block before it.
    if (start !== undefined && start < lines.length - 1) end = lines[start] ?? end;
  }
  return end;
}

/** Parses only the block structure, not the inline content. */
function blocks(text: string): Token[] {
  const tokens: Token[] = [];
  parser.block.parse(text, parser, {}, tokens);
  return tokens;
}

/** Returns where each line begins; the last one may be unfinished. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (let i = text.indexOf("\n"); i >= 0; i = text.indexOf("\n", i + 1)) starts.push(i + 1);
  return starts;
}

function wholeCharacters(text: string): number {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last < 0xdc00 ? text.length - 1 : text.length;
}

/**
 * Returns the opening line of a code block that is still open at the end of the
 * text.
 */
function openFence(text: string): string {
  const fence = blocks(text).findLast((token) => token.level === 0);
  if (fence?.type !== "fence" || fence.map === null) return "";
  const lines = text.split("\n").slice(fence.map[0], fence.map[1]);
  const closed = lines.length > 1 && (lines.at(-1) ?? "").trim().startsWith(fence.markup);
  // The rest is no diagram.
  const info = fence.info.trim() === "mermaid" ? "mermaid continued" : fence.info.slice(0, 30);
  return closed ? "" : `${fence.markup}${info}\n`;
}
