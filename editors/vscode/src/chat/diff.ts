/**
 * Differences for people: the lines that change, with a few around them.
 *
 * The host makes them because the texts may be large and the view must stay quick.
 */
import { structuredPatch } from "diff";

import type { DiffContent, DiffLine } from "../shared/model.js";
import { markChanges } from "./diffMarks.js";

const context = 3;
const maxLines = 2_000;
// Two texts that have little in common take quadratic time to compare.
const limits = { maxEditLength: 4_000, timeout: 200 };

/** `start` is the line that the agent has named with the path. */
export function makeDiff(path: string, oldText: string | undefined, newText: string, label?: string, start?: number): DiffContent {
  const before = oldText ?? "";
  const { lines, added, removed } = compare(ended(before), ended(newText), firstLine(oldText, newText, start));
  const note = endNote(before, newText);
  return {
    type: "diff",
    path,
    ...(label === undefined ? {} : { label }),
    ...(oldText === undefined ? {} : { oldText }),
    newText,
    lines: [...shorten(lines), ...(note ? [{ kind: "gap" as const, text: note }] : [])],
    added,
    removed,
  };
}

/** A last line without its end would look changed where something follows it. */
const ended = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);

/**
 * The number of the texts' first line. Agents send a whole file, or the part of it that
 * they replace, and do not say which: a part mostly has no line end at its end.
 */
function firstLine(oldText: string | undefined, newText: string, start: number | undefined): number | undefined {
  if (oldText === undefined || oldText === "") return 1;
  const whole = oldText.endsWith("\n") || newText.endsWith("\n");
  return whole ? 1 : start;
}

function endNote(before: string, after: string): string | undefined {
  if (before === "" || after === "" || before.endsWith("\n") === after.endsWith("\n")) return undefined;
  return after.endsWith("\n") ? "the last line gets a line end" : "the last line loses its line end";
}

interface Comparison {
  lines: DiffLine[];
  added: number;
  removed: number;
}

function compare(oldText: string, newText: string, first: number | undefined): Comparison {
  const patch = structuredPatch("", "", oldText, newText, undefined, undefined, { context, stripTrailingCr: true, ...limits });
  if (!patch) return replaced(oldText, newText, first);
  const out: Comparison = { lines: [], added: 0, removed: 0 };
  let line = 1;
  for (const hunk of patch.hunks) {
    if (hunk.oldStart > line) out.lines.push({ kind: "gap", text: "" });
    const at = numbers(hunk.oldStart, hunk.newStart, first);
    for (const text of hunk.lines) {
      // "\ No newline at end of file" is a note, not a line.
      if (text.startsWith("\\")) continue;
      if (text.startsWith("+")) out.added++;
      if (text.startsWith("-")) out.removed++;
      out.lines.push(at({ kind: kinds[text[0] ?? " "] ?? "same", text: text.slice(1) }));
    }
    line = hunk.oldStart + hunk.oldLines;
  }
  markChanges(out.lines);
  if (patch.hunks.length > 0 && line <= splitLines(oldText).length) out.lines.push({ kind: "gap", text: "" });
  return out;
}

const kinds: Record<string, DiffLine["kind"]> = { "+": "added", "-": "removed", " ": "same" };

/** Everything goes and everything comes: what is left to say of texts that are too different. */
function replaced(oldText: string, newText: string, first: number | undefined): Comparison {
  const before = splitLines(oldText);
  const after = splitLines(newText);
  const at = numbers(1, 1, first);
  return {
    lines: [
      ...before.map((text): DiffLine => at({ kind: "removed", text })),
      ...after.map((text): DiffLine => at({ kind: "added", text })),
    ],
    added: after.length,
    removed: before.length,
  };
}

/** Numbers lines one after the other, where it is known what the first one is. */
function numbers(oldLine: number, newLine: number, first: number | undefined): (line: DiffLine) => DiffLine {
  if (first === undefined) return (line) => line;
  return (line) => {
    const number = (line.kind === "removed" ? oldLine : newLine) + first - 1;
    if (line.kind !== "added") oldLine++;
    if (line.kind !== "removed") newLine++;
    return { ...line, number };
  };
}

function splitLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function shorten(lines: DiffLine[]): DiffLine[] {
  if (lines.length <= maxLines) return lines;
  const half = maxLines / 2;
  const left = lines.length - maxLines;
  const gap: DiffLine = { kind: "gap", text: `${left.toLocaleString("en")} lines left out` };
  return [...lines.slice(0, half), gap, ...lines.slice(-half)];
}
