/**
 * A turn's changes in the editor's multi-diff view. The right side is the file itself,
 * and editable, if it still has the content that the turn left.
 */
import * as vscode from "vscode";

import type { ReviewedFile } from "../chat/editor.js";

const scheme = "turnwire-review";
/** Most reviews whose texts are stored. */
const mostKept = 10;

export class Reviews implements vscode.Disposable, vscode.TextDocumentContentProvider {
  readonly #texts = new Map<number, string[]>();
  readonly #provider: vscode.Disposable;
  #count = 0;

  constructor() {
    this.#provider = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  }

  provideTextDocumentContent({ query }: vscode.Uri): string {
    const [review, index] = query.split(",").map(Number);
    return this.#texts.get(review ?? -1)?.[index ?? -1] ?? "This content is no longer available.";
  }

  async open(files: readonly ReviewedFile[]): Promise<void> {
    const review = ++this.#count;
    const texts: string[] = [];
    this.#texts.set(review, texts);
    this.#texts.delete(review - mostKept);
    // The path at the end lets the editor detect the language.
    const side = (path: string, text: string | null): vscode.Uri | undefined =>
      text === null ? undefined : vscode.Uri.file(path).with({ scheme, query: `${review},${texts.push(text) - 1}` });
    const resources = files.map(({ path, before, after, onDisk }) => {
      const file = vscode.Uri.file(path);
      return [file, side(path, before), onDisk ? file : side(path, after)];
    });
    await vscode.commands.executeCommand("vscode.changes", "Changes in this turn", resources);
  }

  dispose(): void {
    this.#provider.dispose();
  }
}

/** Moves a file to the trash if the system has one; the editor's undo restores it. */
export async function trash(path: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.deleteFile(vscode.Uri.file(path));
  if (!(await vscode.workspace.applyEdit(edit))) throw new Error("the editor could not delete it");
}
