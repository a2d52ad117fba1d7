/**
 * Diffs for display: the changed lines, with a few around them.
 *
 * The host computes them, because texts may be large and the view must stay responsive.
 */
import type { DiffContent, DiffLine } from "../shared/model.js";
import { changedLines } from "./changedLines.js";
import { markChanges } from "./diffMarks.js";

const context = 3;
const maxLines = 2_000;

/** Where the new text begins in the file, if that is known. */
export interface Place {
  /** The line that the agent reported with the path. */
  start?: number | undefined;
  /** The line at which the texts begin if they are only a part of the file. */
  part?: number | undefined;
}

export function makeDiff(path: string, oldText: string | undefined, newText: string, label?: string, { start, part }: Place = {}): DiffContent {
  const before = oldText ?? "";
  const number = part === undefined ? numbers(firstLine(oldText, newText, start)) : withoutRemoved(numbers(part));
  const { lines, added, removed } = compare(before, newText, number);
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

/** Returns the lines of a text for comparing it. CRLF and LF count as equal. */
export const comparable = (text: string): string[] => splitLines(ended(text).replaceAll("\r\n", "\n"));

/** Reports whether a diff shows all changes. */
export const isWhole = ({ lines, added, removed }: DiffContent): boolean =>
  lines.filter(({ kind }) => kind === "added" || kind === "removed").length === added + removed;

/**
 * Adds a missing final newline. Otherwise the last line would look changed if the other
 * text continues after it.
 */
const ended = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);

/**
 * Returns the number of the texts' first line. Agents send either a whole file or the
 * part they replace, and don't say which; a part usually has no final newline.
 */
function firstLine(oldText: string | undefined, newText: string, start: number | undefined): number | undefined {
  if (oldText === undefined || oldText === "") return 1;
  const whole = oldText.endsWith("\n") || newText.endsWith("\n");
  return whole ? 1 : start;
}

function endNote(before: string, after: string): string | undefined {
  if (before === "" || after === "" || before.endsWith("\n") === after.endsWith("\n")) return undefined;
  return after.endsWith("\n") ? "newline added at the end of the file" : "newline removed at the end of the file";
}

interface Comparison {
  lines: DiffLine[];
  added: number;
  removed: number;
}

function compare(oldText: string, newText: string, number: Numbering): Comparison {
  const before = comparable(oldText);
  const after = comparable(newText);
  const changed = changedLines(before, after);
  const all: DiffLine[] = [];
  for (let i = 0, j = 0; i < before.length || j < after.length; ) {
    if (changed.before[i]) all.push(number("removed", before[i++]!));
    else if (changed.after[j]) all.push(number("added", after[j++]!));
    else {
      all.push(number("same", after[j]!));
      i++;
      j++;
    }
  }
  const lines = nearChanges(all);
  markChanges(lines);
  return { lines, added: count(changed.after), removed: count(changed.before) };
}

const count = (flags: readonly boolean[]): number => flags.reduce((sum, flag) => sum + Number(flag), 0);

/** Returns the changed lines with a few around them, and a gap for each omitted run. */
function nearChanges(all: readonly DiffLine[]): DiffLine[] {
  const out: DiffLine[] = [];
  let last = -Infinity; // the previous change
  let next = -1; // the next change, at this line or later
  all.forEach((line, i) => {
    if (next < i) {
      next = i;
      while (all[next]?.kind === "same") next++;
      if (next === all.length) next = Infinity;
    }
    if (line.kind !== "same") last = i;
    if (i - last <= context || next - i <= context) out.push(line);
    else if (out.at(-1)?.kind !== "gap") out.push({ kind: "gap", text: "" });
  });
  return out.length === 1 && out[0]?.kind === "gap" ? [] : out;
}

type Numbering = (kind: DiffLine["kind"], text: string) => DiffLine;

/** Numbers consecutive lines, if the first number is known. */
function numbers(first: number | undefined): Numbering {
  let oldLine = first ?? 1;
  let newLine = oldLine;
  return (kind, text) => {
    const number = kind === "removed" ? oldLine : newLine;
    if (kind !== "added") oldLine++;
    if (kind !== "removed") newLine++;
    return first === undefined ? { kind, text } : { kind, text, number };
  };
}

/** Earlier changes in the file move a part, so its place in the old file is unknown. */
const withoutRemoved =
  (number: Numbering): Numbering =>
  (kind, text) => {
    const line = number(kind, text);
    return kind === "removed" ? { kind, text } : line;
  };

function splitLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function shorten(lines: DiffLine[]): DiffLine[] {
  if (lines.length <= maxLines) return lines;
  const half = maxLines / 2;
  const left = lines.length - maxLines;
  const gap: DiffLine = { kind: "gap", text: `${left.toLocaleString("en")} lines omitted` };
  return [...lines.slice(0, half), gap, ...lines.slice(-half)];
}
