/**
 * What a turn has changed in files, as far as that is known: what the agent has written
 * through the editor, and what its tool calls say that they have changed by themselves.
 *
 * What stood in a file before is taken from the file itself, seen before the change.
 * Where it was not seen in time there is only what the agent says of it.
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
  /** The file was not there before. */
  created: boolean;
  /** What was seen: the text before the turn, where there was a file, and the one that the turn has left. */
  seen?: { before: string | null; after: string };
  /** What the agent says, in its order. */
  told: DiffContent[];
}

const mostFiles = 500;
const patience = 2_000;
/** Larger texts are not held for an undo. */
const mostText = 8 << 20;
const notFound = -32002;

/** The text of a file; null where there is none, and nothing where it cannot be read or is none of the workspace's. */
export async function textOf(files: Pick<Files, "read"> | undefined, path: string): Promise<string | null | undefined> {
  try {
    return (await files?.read({ sessionId: "", path }))?.content;
  } catch (error) {
    return error instanceof RequestError && error.code === notFound ? null : undefined;
  }
}

/** Line ends are the editor's affair. */
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

  /** The agent is about to write that file through the editor. */
  beforeWrite(path: string): Promise<void> {
    return this.#look(path);
  }

  wrote(path: string, text: string): void {
    this.#written.set(path, text);
  }

  /** A call that may change files, and has not yet. */
  sees({ content, status }: ToolCall): void {
    if (isOver(status)) return;
    for (const part of content) if (part.type === "diff") void this.#look(part.path);
  }

  /**
   * Resolves when what a request for consent is about has been seen: what is allowed at
   * once may be changed at once. A disk that does not answer keeps nobody from answering.
   */
  async seen({ toolCall }: RequestPermissionRequest): Promise<void> {
    for (const part of toolCall.content ?? []) if (part.type === "diff") void this.#look(part.path);
    if (this.#before.size === 0) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, patience)));
    await Promise.race([Promise.all(this.#before.values()), late]);
    clearTimeout(timer);
  }

  /** What these items of the turn, and what was written beside them, have changed. */
  edits(items: readonly Item[]): FileEdit[] {
    const told = new Map<string, DiffContent[]>();
    for (const item of items) {
      if (item.type !== "tool" || item.status !== "completed") continue;
      for (const part of item.content) if (part.type === "diff") told.set(part.path, [...(told.get(part.path) ?? []), part]);
    }
    const paths = [...new Set([...this.#written.keys(), ...told.keys()])].slice(0, mostFiles);
    return paths.flatMap((path) => this.#edit(path, told.get(path) ?? []));
  }

  #edit(path: string, told: DiffContent[]): FileEdit[] {
    const label = this.#label(path);
    const named = { path, told, ...(label === undefined ? {} : { label }) };
    const before = this.#texts.get(path);
    const after = before === undefined ? undefined : (this.#written.get(path) ?? applied(before, told));
    const seen = before !== undefined && after !== undefined ? { before, after } : undefined;
    const net = seen ?? asTold(told);
    if (net && sameText(net.before, net.after)) return [];
    if (net) {
      const { added, removed } = makeDiff(path, net.before ?? undefined, net.after);
      return [{ ...named, added, removed, created: net.before === null, ...(seen ? { seen } : {}) }];
    }
    const sum = (of: (diff: DiffContent) => number): number => told.reduce((all, diff) => all + of(diff), 0);
    const created = told[0] !== undefined && told[0].oldText === undefined;
    return told.length === 0 ? [] : [{ ...named, added: sum((d) => d.added), removed: sum((d) => d.removed), created }];
  }

  /** Only the first look counts: later the turn may have changed it. */
  #look(path: string): Promise<void> {
    const known = this.#before.get(path);
    if (known || !this.#files || this.#before.size >= mostFiles) return known ?? Promise.resolve();
    const look = textOf(this.#files, path).then((text) => {
      // A turn that came after has its own.
      if (text !== undefined && (text?.length ?? 0) <= mostText && this.#before.get(path) === look) this.#texts.set(path, text);
    });
    this.#before.set(path, look);
    return look;
  }
}

/** What the agent says that it has made of a text; nothing where that does not fit what was seen. */
function applied(before: string | null, told: readonly DiffContent[]): string | undefined {
  let text = before;
  for (const { oldText, newText } of told) {
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

/** The text before and after all that the agent says, where each change fits the one before it. */
function asTold(told: readonly DiffContent[]): { before: string | null; after: string } | undefined {
  const before = told[0]?.oldText ?? null;
  const after = told.length === 0 ? undefined : applied(before, told);
  return after === undefined ? undefined : { before, after };
}

/** The text as it was before what the agent says; nothing where it does not fit. */
export function reverted(after: string, told: readonly DiffContent[]): string | null | undefined {
  let text: string | null = after;
  for (const { oldText, newText } of [...told].reverse()) {
    if (text === null) return undefined;
    const was: string | null | undefined = oldText !== undefined ? replacedOnce(text, newText, oldText) : sameText(text, newText) ? null : undefined;
    if (was === undefined) return undefined;
    text = was;
  }
  return text;
}

/** The text with one part replaced; nothing where it is not there just once. */
function replacedOnce(whole: string, part: string, by: string): string | undefined {
  if (sameText(whole, part)) return by;
  const [text, found] = [plain(whole), plain(part)];
  const at = found === "" ? -1 : text.indexOf(found);
  if (at < 0 || text.indexOf(found, at + 1) >= 0) return undefined;
  return text.slice(0, at) + plain(by) + text.slice(at + found.length);
}
