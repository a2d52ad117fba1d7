/**
 * Differences for people: the lines that change, with a few around them.
 *
 * The host makes them because the texts may be large and the view must stay quick.
 */
import { structuredPatch } from "diff";

import type { DiffContent, DiffLine } from "../shared/model.js";

const context = 3;
const maxLines = 2_000;
// Two texts that have little in common take quadratic time to compare.
const limits = { maxEditLength: 4_000, timeout: 200 };

export function makeDiff(path: string, oldText: string | undefined, newText: string, label?: string): DiffContent {
  const before = oldText ?? "";
  const { lines, added, removed } = compare(ended(before), ended(newText));
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

function endNote(before: string, after: string): string | undefined {
  if (before === "" || after === "" || before.endsWith("\n") === after.endsWith("\n")) return undefined;
  return after.endsWith("\n") ? "the last line gets a line end" : "the last line loses its line end";
}

interface Comparison {
  lines: DiffLine[];
  added: number;
  removed: number;
}

function compare(oldText: string, newText: string): Comparison {
  const patch = structuredPatch("", "", oldText, newText, undefined, undefined, { context, stripTrailingCr: true, ...limits });
  if (!patch) return replaced(oldText, newText);
  const out: Comparison = { lines: [], added: 0, removed: 0 };
  let line = 1;
  for (const hunk of patch.hunks) {
    if (hunk.oldStart > line) out.lines.push({ kind: "gap", text: "" });
    for (const text of hunk.lines) {
      // "\ No newline at end of file" is a note, not a line.
      if (text.startsWith("\\")) continue;
      if (text.startsWith("+")) out.added++;
      if (text.startsWith("-")) out.removed++;
      out.lines.push({ kind: kinds[text[0] ?? " "] ?? "same", text: text.slice(1) });
    }
    line = hunk.oldStart + hunk.oldLines;
  }
  if (patch.hunks.length > 0 && line <= splitLines(oldText).length) out.lines.push({ kind: "gap", text: "" });
  return out;
}

const kinds: Record<string, DiffLine["kind"]> = { "+": "added", "-": "removed", " ": "same" };

/** Everything goes and everything comes: what is left to say of texts that are too different. */
function replaced(oldText: string, newText: string): Comparison {
  const before = splitLines(oldText);
  const after = splitLines(newText);
  return {
    lines: [
      ...before.map((text): DiffLine => ({ kind: "removed", text })),
      ...after.map((text): DiffLine => ({ kind: "added", text })),
    ],
    added: after.length,
    removed: before.length,
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
