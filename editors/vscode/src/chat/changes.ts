/**
 * The line below a turn that lists the files it changed, with actions to review and
 * undo the changes.
 */
import type { Editor, ReviewedFile } from "./editor.js";
import type { Files } from "./files.js";
import type { Machine } from "./machine.js";
import type { Transcript } from "./transcript.js";
import { sameText, textOf, TurnEdits, type FileEdit } from "./turnEdits.js";
import { undo } from "./undo.js";
import type { Updates } from "./updates.js";

/** Most turns whose texts are kept for review and undo. */
const mostKept = 50;

export class Changes {
  readonly edits: TurnEdits;
  readonly #transcript: Transcript;
  readonly #editor: Editor;
  readonly #files: Pick<Files, "read" | "write"> | undefined;
  readonly #kept = new Map<string, FileEdit[]>();
  #undoing = false;

  constructor(transcript: Transcript, updates: Updates, editor: Editor, machine: Machine) {
    this.#transcript = transcript;
    this.#editor = editor;
    this.#files = machine.files(editor);
    this.edits = new TurnEdits(this.#files, (path) => machine.paths.relativeTo(editor.folders(), path));
    updates.seen = (call) => this.edits.sees(call);
    updates.replayedTurn = () => this.turnEnds(true);
  }

  turnBegins(): void {
    this.edits.begin();
  }

  /** Shows what the turn above changed. A `replayed` turn can't be undone. */
  turnEnds(replayed = false): void {
    const { items } = this.#transcript;
    const from = items.findLastIndex(({ type }) => type === "user");
    const edits = this.edits.edits(items.slice(from + 1));
    this.edits.begin();
    if (edits.length === 0) return;
    const id = this.#transcript.id("changes");
    this.#kept.set(id, edits);
    for (const old of [...this.#kept.keys()].slice(0, -mostKept)) this.#forget(old);
    const files = edits.map(({ path, label, added, removed, created }) => ({ path, added, removed, created, ...(label === undefined ? {} : { label }) }));
    const review = this.#editor.review !== undefined && this.#files !== undefined;
    this.#transcript.put({ type: "changes", id, files, review, undo: review && !replayed });
  }

  /** Opens all changes in the editor's diff view. */
  async review(id: string): Promise<void> {
    const edits = this.#kept.get(id);
    if (!edits) return this.#editor.tell("These changes are no longer available.");
    const files = await Promise.all(edits.map((edit) => this.#reviewed(edit)));
    await this.#editor.review?.(files.flat());
  }

  async undo(id: string): Promise<void> {
    const [edits, shown] = [this.#kept.get(id), this.#transcript.find("changes", id)];
    if (!edits || !shown?.undo || !this.#files || this.#undoing) return;
    this.#undoing = true;
    try {
      const { undone, left } = await undo(edits, this.#files, this.#editor);
      const many = edits.length === 1 ? "The change was undone." : `The changes to all ${edits.length} files were undone.`;
      const rest = left.map(({ edit, why }) => `${edit.label ?? edit.path} was not restored: ${why}.`);
      const words = left.length === 0 ? many : [`${undone} of ${edits.length} undone.`, ...rest].join("\n");
      this.#transcript.put({ ...shown, undo: left.length > 0, undone: words });
    } finally {
      this.#undoing = false;
    }
  }

  /** Undoes the changes below an item, the latest first. Reports the files that were not restored. */
  async undoSince(id: string): Promise<void> {
    const { items } = this.#transcript;
    const since = items.slice(items.findIndex((item) => item.id === id) + 1).filter((item) => item.type === "changes" && item.undo);
    for (const { id: one } of since.reverse()) {
      await this.undo(one);
      const shown = this.#transcript.find("changes", one);
      if (shown?.undo && shown.undone !== undefined) this.#editor.tell(shown.undone);
    }
  }

  async #reviewed({ path, seen, reported }: FileEdit): Promise<ReviewedFile[]> {
    const pairs = seen ? [seen] : reported.map(({ oldText, newText }) => ({ before: oldText ?? null, after: newText }));
    const now = await textOf(this.#files, path);
    return pairs.map(({ before, after }) => ({ path, before, after, onDisk: sameText(now, after) }));
  }

  #forget(id: string): void {
    this.#kept.delete(id);
    const shown = this.#transcript.find("changes", id);
    if (shown) this.#transcript.put({ ...shown, review: false, undo: false });
  }
}
