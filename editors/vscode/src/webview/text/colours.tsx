/** Highlights one line of code, with marked ranges. */
import type { ComponentChildren } from "preact";
import { highlighted } from "../markdown/highlight.js";
import { visible } from "./visible.js";

/** Longer lines stay plain. */
const longest = 500;

interface Piece {
  text: string;
  class: string;
}

/** Returns a line's parts; `language` is a name or a file extension. */
export function coloured(text: string, language: string, marks: readonly [from: number, to: number][]): ComponentChildren {
  const pieces = language === "" || text.length > longest ? [{ text, class: "" }] : piecesOf(highlighted(text, language));
  let at = 0;
  return pieces.map((piece, index) => {
    const begin = at;
    at += piece.text.length;
    const parts = split(piece.text, marks.map(([from, to]) => [from - begin, to - begin]));
    return piece.class === "" ? parts : <span key={index} class={piece.class}>{parts}</span>;
  });
}

function split(text: string, marks: readonly (readonly [from: number, to: number])[]): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let at = 0;
  for (const [from, to] of marks) {
    const [begin, end] = [Math.max(at, from), Math.min(text.length, to)];
    if (begin >= end) continue;
    parts.push(visible(text.slice(at, begin)), <mark key={begin}>{visible(text.slice(begin, end))}</mark>);
    at = end;
  }
  return [...parts, visible(text.slice(at))];
}

const entities: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'" };

/** Reads the highlighter's own HTML: text in nested spans. */
function piecesOf(html: string): Piece[] {
  const pieces: Piece[] = [];
  const open: string[] = [];
  for (const [part] of html.matchAll(/<span class="[^"]*">|<\/span>|[^<]+/g)) {
    if (part === "</span>") open.pop();
    else if (part.startsWith("<")) open.push(part.slice('<span class="'.length, -2));
    else pieces.push({ text: part.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => entities[entity] ?? entity), class: open.at(-1) ?? "" });
  }
  return pieces;
}

/** Returns the extension of a path, which names its language. */
export const languageOf = (path: string): string => /\.([A-Za-z0-9]{1,12})$/.exec(path)?.[1]?.toLowerCase() ?? "";
