/**
 * Splits a Markdown text that grows at its end into blocks.
 *
 * All blocks but the last are finished: more text cannot change them, and they
 * are never looked at again. So what a piece of a stream costs depends on the
 * block that it belongs to, not on the text before. (The price: a link by
 * reference works only if its definition stands in the same block.)
 */
import type { Token } from "markdown-it";
import { visible } from "../text/visible.js";
import { parser } from "./parser.js";

/** An unfinished block longer than this is cut, where a line ends if possible. */
export const longestBlock = 8_000;

export interface Split {
  /** Blocks that were finished now, as Markdown. */
  finished: string[];
  /** The block that still grows. */
  open: string;
}

export class GrowingMarkdown {
  /** What does not belong to a finished block. */
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

  /** Takes a piece off a block that has grown too long; a code block goes on in the rest. */
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

/** How much of the text belongs to blocks that are followed by another one. */
function finishedLength(text: string): number {
  const lines = lineStarts(text);
  let end = 0;
  for (const token of blocks(text)) {
    const start = token.level === 0 && token.nesting >= 0 ? token.map?.[0] : undefined;
    // A line that is not ended may yet turn out to go on with the block before it.
    if (start !== undefined && start < lines.length - 1) end = lines[start] ?? end;
  }
  return end;
}

/** The blocks alone, without what stands in their lines. */
function blocks(text: string): Token[] {
  const tokens: Token[] = [];
  parser.block.parse(text, parser, {}, tokens);
  return tokens;
}

/** Where each line begins; the last one is the line that is not ended yet. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (let i = text.indexOf("\n"); i >= 0; i = text.indexOf("\n", i + 1)) starts.push(i + 1);
  return starts;
}

function wholeCharacters(text: string): number {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last < 0xdc00 ? text.length - 1 : text.length;
}

/** The line that opens the code block which the text ends in the middle of. */
function openFence(text: string): string {
  const fence = blocks(text).findLast((token) => token.level === 0);
  if (fence?.type !== "fence" || fence.map === null) return "";
  const lines = text.split("\n").slice(fence.map[0], fence.map[1]);
  const closed = lines.length > 1 && (lines.at(-1) ?? "").trim().startsWith(fence.markup);
  return closed ? "" : `${fence.markup}${fence.info.slice(0, 30)}\n`;
}
