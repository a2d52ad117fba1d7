/**
 * Undoes a turn's file changes, and nothing else.
 *
 * A file that still has the content the turn left is restored at once. If a file
 * changed since, or if only the agent reported its earlier content, it is overwritten
 * after the user agrees.
 */
import type { Editor } from "./editor.js";
import { errorText } from "./rpcError.js";
import type { Files } from "./files.js";
import { reverted, sameText, textOf, type FileEdit } from "./turnEdits.js";

export interface Undone {
  /** How many files were restored. */
  undone: number;
  /** The other files, and why they were not restored. */
  left: { edit: FileEdit; why: string }[];
}

interface Step {
  edit: FileEdit;
  /** The text to restore; null deletes the file. */
  text: string | null;
  /** Why the user must confirm first. */
  doubt?: string;
}

export async function undo(edits: readonly FileEdit[], files: Pick<Files, "read" | "write">, editor: Pick<Editor, "confirm" | "trash">): Promise<Undone> {
  const result: Undone = { undone: 0, left: [] };
  const steps: Step[] = [];
  const take = async ({ edit, text }: Step): Promise<void> => {
    const why = await put(edit.path, text, files, editor);
    if (why === undefined) result.undone++;
    else result.left.push({ edit, why });
  };
  for (const edit of edits) {
    const step = await look(edit, files);
    if (step === "done") result.undone++;
    else if ("why" in step) result.left.push({ edit, why: step.why });
    else steps.push(step);
  }
  const doubtful = steps.filter(({ doubt }) => doubt !== undefined);
  // Restore certain files before asking, because they could change while the question
  // is open.
  for (const step of steps) if (step.doubt === undefined) await take(step);
  const sure = doubtful.length === 0 || (await editor.confirm(question(doubtful), "Overwrite"));
  for (const step of doubtful) {
    if (sure) await take(step);
    else result.left.push({ edit: step.edit, why: step.doubt ?? "" });
  }
  return result;
}

async function look(edit: FileEdit, files: Pick<Files, "read">): Promise<Step | "done" | { why: string }> {
  const now = await textOf(files, edit.path);
  if (now === undefined) return { why: "it cannot be read" };
  const { seen, reported } = edit;
  if (seen) {
    if (sameText(now, seen.before)) return "done";
    return { edit, text: seen.before, ...(sameText(now, seen.after) ? {} : { doubt: now === null ? "it was deleted after the turn" : "it changed after the turn" }) };
  }
  const before = now === null ? undefined : reverted(now, reported);
  if (before === undefined) return { why: "it changed after the turn, and its earlier content is unknown" };
  return { edit, text: before, doubt: "only the agent reported its earlier content" };
}

function question(steps: readonly Step[]): string {
  const files = steps.map(({ edit, text, doubt }) => `${edit.label ?? edit.path}: ${doubt}${text === null ? "; undo deletes it" : ""}`);
  const words = steps.length === 1 ? "Undo the turn's change to this file? Its current content will be lost." : `Undo the turn's changes to these ${steps.length} files? Their current content will be lost.`;
  return `${words}\n\n${files.join("\n")}`;
}

/** Restores a file; resolves with the reason if that fails. */
async function put(path: string, text: string | null, files: Pick<Files, "write">, editor: Pick<Editor, "trash">): Promise<string | undefined> {
  try {
    if (text !== null) await files.write({ sessionId: "", path, content: text });
    else if (editor.trash) await editor.trash(path);
    else return "it cannot be deleted here";
    return undefined;
  } catch (error) {
    return errorText(error);
  }
}
