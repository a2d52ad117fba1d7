/**
 * The changes of a permission request that the user can refuse one by one.
 *
 * Turnwire offers that if it decides what is written after the answer, because only that is
 * certain to lack the refused changes. A change is a run of changed lines, as the diff shows
 * them.
 */
import type { RequestPermissionRequest } from "@agentclientprotocol/sdk";

import type { ToolContent } from "../shared/model.js";
import { changedLines } from "./changedLines.js";
import { comparable, isWhole } from "./diff.js";

export const partialMeta = "turnwire.dev/partial";
export const acceptedMeta = "turnwire.dev/accepted";

/** A file with several changes, or one of several files. */
export interface Part {
  path: string;
  oldText: string | undefined;
  newText: string;
  /** The number of changes. */
  changes: number;
}

/** Returns the files of a request, if there is more than one change to choose from. */
export function partsOf({ _meta: meta, toolCall }: RequestPermissionRequest): Part[] {
  if (meta?.[partialMeta] !== true) return [];
  const parts = (toolCall.content ?? []).flatMap((item): Part[] => {
    if (item.type !== "diff") return [];
    const { path, newText } = item;
    const oldText = item.oldText ?? undefined;
    return [{ path, oldText, newText, changes: pieces(oldText ?? "", newText).filter(({ changed }) => changed).length }];
  });
  const several = parts.reduce((sum, { changes }) => sum + changes, 0) > 1;
  const unique = new Set(parts.map(({ path }) => path)).size === parts.length;
  return several && unique ? parts : [];
}

/** Reports whether a call's content shows these files, and all of their changes. */
export function shows(content: readonly ToolContent[], parts: readonly Part[]): boolean {
  const diffs = content.filter((part) => part.type === "diff");
  return (
    diffs.length === parts.length &&
    diffs.every((diff) => isWhole(diff) && parts.some((part) => part.path === diff.path && part.oldText === diff.oldText && part.newText === diff.newText))
  );
}

/** Returns the text of a file without the refused changes, which are numbered from 0. */
export function textWithout({ oldText = "", newText }: Part, refused: readonly number[]): string {
  const lineEnd = oldText.includes("\r\n") ? "\r\n" : "\n";
  const out: string[] = [];
  let number = 0;
  for (const { changed, before, after } of pieces(oldText, newText)) {
    // Lines that don't change stay as they are in the file, byte for byte.
    for (const line of !changed || refused.includes(number) ? before : after) {
      const last = out.at(-1);
      if (last !== undefined && !last.endsWith("\n")) out.push(lineEnd);
      out.push(line);
    }
    if (changed) number++;
  }
  return out.join("");
}

/** A run of lines with their ends. */
interface Piece {
  changed: boolean;
  before: string[];
  after: string[];
}

function pieces(oldText: string, newText: string): Piece[] {
  const [before, after] = [linesOf(oldText), linesOf(newText)];
  const marks = changedLines(comparable(oldText), comparable(newText));
  const out: Piece[] = [];
  for (let i = 0, j = 0; i < before.length || j < after.length; ) {
    const changed = marks.before[i] === true || marks.after[j] === true;
    let piece = out.at(-1);
    if (piece?.changed !== changed) out.push((piece = { changed, before: [], after: [] }));
    if (!changed || marks.before[i]) piece.before.push(before[i++] ?? "");
    if (!changed || (marks.after[j] && !marks.before[i])) piece.after.push(after[j++] ?? "");
  }
  return out;
}

const linesOf = (text: string): string[] => (text === "" ? [] : text.split(/(?<=\n)/));
