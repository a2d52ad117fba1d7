/**
 * Calls that only looked at something, one after the other: when they are done, a line
 * says how much was looked at, and opens.
 */
import type { Item, ToolCall } from "../../shared/model.js";
import { plural } from "../frame/format.js";

/** An item by its id, or the ids of a run. */
export type Entry = string | readonly string[];

/** Whether a call may stand in a run: it went as it should, and there is nothing to see that was not asked for. */
export function folds(item: Item | undefined): item is ToolCall {
  if (item?.type !== "tool" || item.status !== "completed" || item.permission) return false;
  if (item.kind !== "read" && item.kind !== "search") return false;
  return item.content.every(({ type }) => type === "text" || type === "terminal");
}

/** Items with the runs among them put together; one call alone is no run. */
export function entries(ids: readonly string[], mayFold: (id: string) => boolean): Entry[] {
  const all: Entry[] = [];
  let run: string[] = [];
  const end = () => {
    all.push(...(run.length > 1 ? [run] : run));
    run = [];
  };
  for (const id of ids) {
    if (mayFold(id)) run.push(id);
    else {
      end();
      all.push(id);
    }
  }
  end();
  return all;
}

/** How much was looked at: "Explored 9 files, searched twice". */
export function summary(calls: readonly ToolCall[]): string {
  const reads = calls.filter(({ kind }) => kind === "read");
  // The same file in several parts is one; a read that names none is one of something.
  const files = new Set(reads.flatMap(({ id, locations }) => (locations.length > 0 ? locations.map(({ path }) => `/${path}`) : [id]))).size;
  const searches = calls.length - reads.length;
  const times = searches === 1 ? "once" : searches === 2 ? "twice" : `${searches} times`;
  if (files === 0) return `Searched ${times}`;
  return `Explored ${plural(files, "file", "files")}${searches > 0 ? `, searched ${times}` : ""}`;
}
