/**
 * The changes of a permission request that the user can refuse one by one.
 *
 * What was refused is remembered while the view is hidden, until the request is answered.
 */
import { useContext, useReducer } from "preact/hooks";
import type { Permission, RefusedChanges } from "../../shared/model.js";
import { changed, keyFor, memoryOf } from "../frame/memory.js";
import { ChatId } from "./hooks.js";

/** A request's changes. */
export interface Choice {
  all: number;
  /** How many are not refused. */
  left: number;
  refused: RefusedChanges[];
  /** Returns the changes of a file. */
  of: (path: string) => FileChoice | undefined;
  /** The request was answered. */
  forget: () => void;
}

/** A file's changes, which are numbered from 0. */
export interface FileChoice {
  count: number;
  /** The number of its first change in the request. */
  first: number;
  all: number;
  refused: readonly number[];
  toggle: (change: number) => void;
}

export function useChoice(permission: Permission | undefined): Choice | undefined {
  const chatId = useContext(ChatId);
  const [, again] = useReducer((count: number, _: void) => count + 1, 0);
  const memory = memoryOf(chatId);
  const parts = permission?.parts;
  if (!permission || !parts) return undefined;
  const request = keyFor(permission.requestId);
  const refusedIn = (path: string): number[] => memory.refused?.[request]?.[keyFor(path)] ?? [];
  const refused = parts.flatMap(({ path }) => (refusedIn(path).length > 0 ? [{ path, changes: refusedIn(path) }] : []));
  const all = parts.reduce((sum, { changes }) => sum + changes, 0);
  return {
    all,
    left: all - refused.reduce((sum, { changes }) => sum + changes.length, 0),
    refused,
    of: (path) => {
      const at = parts.findIndex((part) => part.path === path);
      const part = parts[at];
      if (!part) return undefined;
      const toggle = (change: number): void => {
        const before = refusedIn(path);
        const after = before.includes(change) ? before.filter((one) => one !== change) : [...before, change];
        ((memory.refused ??= {})[request] ??= {})[keyFor(path)] = after;
        changed(chatId);
        again();
      };
      const first = parts.slice(0, at).reduce((sum, { changes }) => sum + changes, 0);
      return { count: part.changes, first, all, refused: refusedIn(path), toggle };
    },
    forget: () => {
      delete memory.refused?.[request];
      changed(chatId);
    },
  };
}
