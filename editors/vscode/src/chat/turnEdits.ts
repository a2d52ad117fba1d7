/**
 * A turn's known file changes: those that the agent made through the editor, and those
 * that its tool calls report.
 *
 * A file's earlier text is read from the file itself, before the change. If it wasn't
 * read in time, only the agent's report is available.
 */
import { RequestError, type RequestPermissionRequest } from "@agentclientprotocol/sdk";

import type { DiffContent, Item, ToolCall } from "../shared/model.js";
import { makeDiff } from "./diff.js";
import type { Files } from "./files.js";
import { isOver } from "./toolCalls.js";

export interface FileEdit {
  path: string;
  label?: string;
  added: number;
  removed: number;
  /** Whether the file is new. */
  created: boolean;
  /** The observed text before the turn (null if there was no file) and the text that the turn left. */
  seen?: { before: string | null; after: string };
  /** The agent's diffs, in order. */
  reported: DiffContent[];
}

const mostFiles = 500;
const patience = 2_000;
/** Larger texts are not stored for undo. */
const mostText = 8 << 20;
const notFound = -32002;

/** Reads a file's text; null if it doesn't exist, undefined if it is unreadable or outside of the workspace. */
export async function textOf(files: Pick<Files, "read"> | undefined, path: string): Promise<string | null | undefined> {
  try {
    return (await files?.read({ sessionId: "", path }))?.content;
  } catch (error) {
    return error instanceof RequestError && error.code === notFound ? null : undefined;
  }
}

/** Line endings don't matter: the editor handles them. */
export const sameText = (a: string | null | undefined, b: string | null | undefined): boolean =>
  a === b || (typeof a === "string" && typeof b === "string" && plain(a) === plain(b));

const plain = (text: string): string => text.replaceAll("\r\n", "\n");

export class TurnEdits {
  readonly #files: Pick<Files, "read"> | undefined;
  readonly #label: (path: string) => string | undefined;
  readonly #before = new Map<string, Promise<void>>();
  readonly #texts = new Map<string, string | null>();
  readonly #written = new Map<string, string>();

  constructor(files: Pick<Files, "read"> | undefined, label: (path: string) => string | undefined) {
    this.#files = files;
    this.#label = label;
  }

  begin(): void {
    this.#before.clear();
    this.#texts.clear();
    this.#written.clear();
  }

  /** Called before the agent writes a file through the editor. */
  beforeWrite(path: string): Promise<void> {
    return this.#look(path);
  }

  wrote(path: string, text: string): void {
    this.#written.set(path, text);
  }

  /** Called for a call that may change files but hasn't yet. */
  sees({ content, status }: ToolCall): void {
    if (isOver(status)) return;
    for (const part of content) if (part.type === "diff") void this.#look(part.path);
  }

  /**
   * Resolves when the files of a permission request were read: once allowed, they may
   * change at once. A disk that doesn't respond doesn't block the answer.
   */
  async seen({ toolCall }: RequestPermissionRequest): Promise<void> {
    for (const part of toolCall.content ?? []) if (part.type === "diff") void this.#look(part.path);
    if (this.#before.size === 0) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, patience)));
    await Promise.race([Promise.all(this.#before.values()), late]);
    clearTimeout(timer);
  }

  /** Returns the changes by these items of the turn, and by other writes. */
  edits(items: readonly Item[]): FileEdit[] {
    const reported = new Map<string, DiffContent[]>();
    for (const item of items) {
      if (item.type !== "tool" || item.status !== "completed") continue;
      for (const part of item.content) if (part.type === "diff") reported.set(part.path, [...(reported.get(part.path) ?? []), part]);
    }
    const paths = [...new Set([...this.#written.keys(), ...reported.keys()])].slice(0, mostFiles);
    return paths.flatMap((path) => this.#edit(path, reported.get(path) ?? []));
  }

  #edit(path: string, reported: DiffContent[]): FileEdit[] {
    const label = this.#label(path);
    const named = { path, reported, ...(label === undefined ? {} : { label }) };
    const before = this.#texts.get(path);
    const after = before === undefined ? undefined : (this.#written.get(path) ?? applied(before, reported));
    const seen = before !== undefined && after !== undefined ? { before, after } : undefined;
    const net = seen ?? asReported(reported);
    if (net && sameText(net.before, net.after)) return [];
    if (net) {
      const { added, removed } = makeDiff(path, net.before ?? undefined, net.after);
      return [{ ...named, added, removed, created: net.before === null, ...(seen ? { seen } : {}) }];
    }
    const sum = (of: (diff: DiffContent) => number): number => reported.reduce((all, diff) => all + of(diff), 0);
    const created = reported[0] !== undefined && reported[0].oldText === undefined;
    return reported.length === 0 ? [] : [{ ...named, added: sum((d) => d.added), removed: sum((d) => d.removed), created }];
  }

  /** Reads a file. Only the first read counts, because the turn may change it later. */
  #look(path: string): Promise<void> {
    const known = this.#before.get(path);
    if (known || !this.#files || this.#before.size >= mostFiles) return known ?? Promise.resolve();
    const look = textOf(this.#files, path).then((text) => {
      // A later turn reads the file itself.
      if (text !== undefined && (text?.length ?? 0) <= mostText && this.#before.get(path) === look) this.#texts.set(path, text);
    });
    this.#before.set(path, look);
    return look;
  }
}

/** Applies the agent's diffs to a text; undefined if they don't fit it. */
function applied(before: string | null, reported: readonly DiffContent[]): string | undefined {
  let text = before;
  for (const { oldText, newText } of reported) {
    if (text === null || oldText === undefined || oldText === "") {
      if ((text ?? "") !== "" || (oldText ?? "") !== "") return undefined;
      text = newText;
    } else {
      const next = replacedOnce(text, oldText, newText);
      if (next === undefined) return undefined;
      text = next;
    }
  }
  return text ?? undefined;
}

/** Returns the text before and after all diffs, if each fits the one before it. */
function asReported(reported: readonly DiffContent[]): { before: string | null; after: string } | undefined {
  const before = reported[0]?.oldText ?? null;
  const after = reported.length === 0 ? undefined : applied(before, reported);
  return after === undefined ? undefined : { before, after };
}

/** Returns the text before the diffs; undefined if they don't fit. */
export function reverted(after: string, reported: readonly DiffContent[]): string | null | undefined {
  let text: string | null = after;
  for (const { oldText, newText } of [...reported].reverse()) {
    if (text === null) return undefined;
    const was: string | null | undefined = oldText !== undefined ? replacedOnce(text, newText, oldText) : sameText(text, newText) ? null : undefined;
    if (was === undefined) return undefined;
    text = was;
  }
  return text;
}

/** Replaces one part of a text; undefined unless it occurs exactly once. */
function replacedOnce(whole: string, part: string, by: string): string | undefined {
  if (sameText(whole, part)) return by;
  const [text, found] = [plain(whole), plain(part)];
  const at = found === "" ? -1 : text.indexOf(found);
  if (at < 0 || text.indexOf(found, at + 1) >= 0) return undefined;
  return text.slice(0, at) + plain(by) + text.slice(at + found.length);
}
