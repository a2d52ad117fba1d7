/**
 * File access through the editor.
 *
 * The agent reads what the user sees, saved or not. Its writes are edits that undo
 * reverts, with the file's own line endings and encoding. They are saved at once,
 * because the agent's commands read the disk. A file with the user's own unsaved
 * changes isn't saved; that is left to the user.
 */
import * as vscode from "vscode";

export async function readText(path: string): Promise<string> {
  const uri = vscode.Uri.file(path);
  const open = opened(uri);
  // The disk may be newer than an unmodified document.
  if (open?.isDirty) return open.getText();
  const bytes = await vscode.workspace.fs.readFile(uri);
  const text = await vscode.workspace.decode(bytes, { uri });
  if (text.includes("\0")) throw new Error("it is not a text file");
  return text;
}

export async function writeText(path: string, text: string): Promise<void> {
  const uri = vscode.Uri.file(path);
  const edit = new vscode.WorkspaceEdit();
  if (!(await exists(uri))) {
    edit.createFile(uri, { contents: await vscode.workspace.encode(text, { uri }) });
    await apply(edit, path);
    return;
  }
  const document = await vscode.workspace.openTextDocument(uri);
  const unsaved = document.isDirty;
  const change = difference(document, text);
  if (change) {
    edit.replace(uri, change.range, change.text);
    await apply(edit, path);
  }
  if (unsaved || !document.isDirty) return;
  if (!(await document.save())) throw new Error("the editor could not save it");
}

async function apply(edit: vscode.WorkspaceEdit, path: string): Promise<void> {
  if (!(await vscode.workspace.applyEdit(edit))) throw new Error(`the editor could not apply the change to ${path}`);
}

/** Returns the only range that differs: the rest keeps its cursors and marks. */
function difference(document: vscode.TextDocument, text: string): { range: vscode.Range; text: string } | undefined {
  const old = document.getText();
  const wanted = text.replace(/\r\n|\r|\n/g, document.eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n");
  if (old === wanted) return undefined;
  const most = Math.min(old.length, wanted.length);
  let start = 0;
  while (start < most && old[start] === wanted[start]) start++;
  let end = 0;
  while (end < most - start && old[old.length - 1 - end] === wanted[wanted.length - 1 - end]) end++;
  // A line ending or surrogate pair can only be replaced as a whole.
  if (start > 0 && /[\r\ud800-\udbff]/.test(old[start - 1] ?? "")) start--;
  if (end > 0 && /[\n\udc00-\udfff]/.test(old[old.length - end] ?? "")) end--;
  const range = new vscode.Range(document.positionAt(start), document.positionAt(old.length - end));
  return { range, text: wanted.slice(start, wanted.length - end) };
}

function opened(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((d) => d.uri.toString() === uri.toString());
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}
