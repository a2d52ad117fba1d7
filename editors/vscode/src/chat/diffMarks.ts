/**
 * Marks the words that differ in changed lines, but not in replaced ones.
 *
 * The first removed line of a group is paired with the first added one, and so on.
 * Pairs with little in common are not marked: if most of a line is marked, nothing
 * stands out.
 */
import { diffWordsWithSpace } from "diff";

import type { DiffLine } from "../shared/model.js";

const longestLine = 500;
/** Most pairs per diff, because comparing words is slow. */
const mostPairs = 400;
/** The largest fraction of a line that may be marked. */
const mostMarked = 0.6;

type Marks = [from: number, to: number][];

export function markChanges(lines: DiffLine[]): void {
  let pairs = 0;
  for (let start = 0; start < lines.length && pairs < mostPairs; ) {
    const removed = runOf(lines, start, "removed");
    const added = runOf(lines, start + removed, "added");
    const both = Math.min(removed, added, mostPairs - pairs);
    for (let i = 0; i < both; i++) markPair(lines[start + i], lines[start + removed + i]);
    pairs += both;
    start += Math.max(1, removed + added);
  }
}

function runOf(lines: DiffLine[], start: number, kind: DiffLine["kind"]): number {
  let end = start;
  while (lines[end]?.kind === kind) end++;
  return end - start;
}

function markPair(before: DiffLine | undefined, after: DiffLine | undefined): void {
  if (!before || !after || before.text.length > longestLine || after.text.length > longestLine) return;
  const old: Marks = [];
  const now: Marks = [];
  let oldAt = 0;
  let newAt = 0;
  for (const { value, added, removed } of diffWordsWithSpace(before.text, after.text)) {
    if (removed) mark(old, oldAt, oldAt + value.length);
    if (added) mark(now, newAt, newAt + value.length);
    if (!added) oldAt += value.length;
    if (!removed) newAt += value.length;
  }
  if (tooMuch(old, before.text) || tooMuch(now, after.text)) return;
  if (old.length > 0) before.marks = old;
  if (now.length > 0) after.marks = now;
}

/** Adds a mark. Adjacent marks are merged. */
function mark(marks: Marks, from: number, to: number): void {
  const last = marks.at(-1);
  if (last?.[1] === from) last[1] = to;
  else marks.push([from, to]);
}

/** Reports whether too much is marked. Indentation doesn't count as common text. */
function tooMuch(marks: Marks, text: string): boolean {
  const marked = marks.reduce((sum, [from, to]) => sum + text.slice(from, to).trim().length, 0);
  return marked > text.trim().length * mostMarked;
}
