import type { Permission } from "./model.js";

/** Returns the number of a request's changes, and of those that are not refused. */
export function countChanges({ parts = [] }: Permission): { all: number; left: number } {
  const all = parts.reduce((sum, { changes }) => sum + changes, 0);
  return { all, left: all - parts.reduce((sum, { refused }) => sum + refused.length, 0) };
}
