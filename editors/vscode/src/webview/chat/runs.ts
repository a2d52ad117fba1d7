/**
 * Runs of consecutive calls that only read or searched. Once they are done, a single
 * line summarizes them, and opens.
 */
import type { Item, ToolCall } from "../../shared/model.js";
import { plural } from "../frame/format.js";

/** An item's id, or the ids of a run. */
export type Entry = string | readonly string[];

/** Reports whether a call may be in a run: it succeeded, and has nothing the user must see. */
export function folds(item: Item | undefined): item is ToolCall {
  if (!mayFold(item) || item.status !== "completed" || item.permission) return false;
  return item.content.every(({ type }) => type === "text" || type === "terminal");
}

/** Reports whether a call may be in a run once it is done. */
export function mayFold(item: Item | undefined): item is ToolCall {
  return item?.type === "tool" && (item.kind === "read" || item.kind === "search");
}

/** Groups items into runs; a single call isn't a run. */
export function entries(ids: readonly string[], isFolded: (id: string) => boolean): Entry[] {
  const all: Entry[] = [];
  let run: string[] = [];
  const end = () => {
    all.push(...(run.length > 1 ? [run] : run));
    run = [];
  };
  for (const id of ids) {
    if (isFolded(id)) run.push(id);
    else {
      end();
      all.push(id);
    }
  }
  end();
  return all;
}

/** Summarizes a run: "Explored 9 files, searched twice". */
export function summary(calls: readonly ToolCall[]): string {
  const reads = calls.filter(({ kind }) => kind === "read");
  // Parts of the same file count as one; a read without a file counts as one.
  const files = new Set(reads.flatMap(({ id, locations }) => (locations.length > 0 ? locations.map(({ path }) => `/${path}`) : [id]))).size;
  const searches = calls.length - reads.length;
  const times = searches === 1 ? "once" : searches === 2 ? "twice" : `${searches} times`;
  if (files === 0) return `Searched ${times}`;
  return `Explored ${plural(files, "file", "files")}${searches > 0 ? `, searched ${times}` : ""}`;
}
