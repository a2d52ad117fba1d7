/**
 * Turns a row of terminal output into coloured pieces of plain text.
 *
 * Only colours and weights are kept. Everything else a terminal would obey
 * (cursor movement, titles, links, queries) is dropped, and hidden characters
 * are written out: see visible.ts.
 */
import Anser from "anser";
import { sequences, strings, withoutSequences } from "../../shared/sequences.js";
import type { Lines } from "./lines.js";
import { visible } from "./visible.js";

export interface Piece {
  text: string;
  /** Class names: `ansi-red`, `ansi-bg-bright-blue`, `ansi-bold`. */
  classes: string[];
  /** Colours by value, as `r, g, b`. */
  color?: string;
  background?: string;
}

const colours = /(?:\x1b\[|\x9b)([\d;:]*)m/g;
/** How many rows back to look for a colour that is still active. */
const lookBack = 200;

export function pieces(row: string, inForce = ""): Piece[] {
  const text = row.replace(strings, "").replace(sequences, "").replace(/\x9b/g, "\x1b[");
  if (inForce === "" && !text.includes("\x1b")) return text === "" ? [] : [{ text: visible(text), classes: [] }];
  const found: Piece[] = [];
  for (const entry of Anser.ansiToJson(inForce + text, { json: true, use_classes: true, remove_empty: true })) {
    if (entry.content === "") continue;
    const piece: Piece = { text: visible(entry.content), classes: entry.decorations.map((d) => `ansi-${d}`) };
    const reversed = entry.decorations.includes("reverse");
    paint(piece, reversed ? "background" : "color", entry.fg, entry.fg_truecolor);
    paint(piece, reversed ? "color" : "background", entry.bg, entry.bg_truecolor);
    if (piece.color === piece.background) {
      delete piece.color; // never print in the background's colour
      delete piece.background;
    }
    found.push(piece);
  }
  return found;
}

/** Returns the displayed text without colours. */
export function plain(text: string): string {
  return visible(withoutSequences(text));
}

/**
 * Anser identifies the 16 colours by class, the palette's others by number, and
 * the rest by value.
 */
function paint(piece: Piece, which: "color" | "background", name: string | null, value: string | null): void {
  if (!name) return;
  const prefix = which === "color" ? "ansi-" : "ansi-bg-";
  const indexed = /^ansi-palette-(\d+)$/.exec(name);
  if (indexed) piece[which] = paletteColour(Number(indexed[1]));
  else if (name === "ansi-truecolor") {
    if (value && /^\d+, \d+, \d+$/.test(value)) piece[which] = value;
  } else if (/^ansi-[a-z-]+$/.test(name)) piece.classes.push(prefix + name.slice("ansi-".length));
}

/**
 * The fixed part of the 256-colour palette: a cube with six steps per side, and
 * greys.
 */
function paletteColour(index: number): string {
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return `${grey}, ${grey}, ${grey}`;
  }
  const step = (n: number) => (n === 0 ? 0 : 55 + n * 40);
  const cube = Math.max(0, index - 16);
  return [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(step).join(", ");
}

/** Returns the active colours at the beginning of a row. */
export function coloursBefore(lines: Lines, index: number): string[] {
  let found: string[] = [];
  for (let i = Math.max(0, index - lookBack); i < index; i++) found = coloursAfter(lines.row(i), found);
  return found;
}

/** Returns the active colours after a row, as the sequences that set them. */
export function coloursAfter(row: string, before: string[]): string[] {
  if (!row.includes("\x1b[") && !row.includes("\x9b")) return before;
  let found = before;
  for (const match of row.matchAll(colours)) {
    const codes = match[1] ?? "";
    if (codes === "" || /^0+$/.test(codes)) found = [];
    else found = [...found.slice(-15), `\x1b[${codes}m`];
  }
  return found;
}
