/** The changes of a permission request that the user can refuse one by one. */
import type { Permission } from "../../shared/model.js";
import { post } from "../frame/host.js";

/** A file's changes, which are numbered from 0. */
export interface FileChoice {
  count: number;
  /** The number of its first change in the request. */
  first: number;
  /** The number of the request's changes. */
  all: number;
  refused: readonly number[];
  toggle: (change: number) => void;
}

export function choiceOf({ requestId, parts = [] }: Permission, path: string): FileChoice | undefined {
  const at = parts.findIndex((part) => part.path === path);
  const part = parts[at];
  if (!part) return undefined;
  const before = (end: number): number => parts.slice(0, end).reduce((sum, { changes }) => sum + changes, 0);
  return {
    count: part.changes,
    first: before(at),
    all: before(parts.length),
    refused: part.refused,
    toggle: (change) => post({ type: "refuse", requestId, path, change, refused: !part.refused.includes(change) }),
  };
}
