/** Files and selections to attach to a prompt. */
import * as vscode from "vscode";

import type { Attachment } from "../shared/model.js";

const mostFiles = 50;
const ignored = "**/{node_modules,.git}/**";

/** Finds workspace files whose paths contain the query, ignoring case. */
export async function findFiles(query: string): Promise<Attachment[]> {
  const parts = query.trim().split(/[/\\]/).filter(Boolean).map(anyCase);
  const pattern = parts.length > 0 ? `**/*${parts.join("*/*")}*` : "**/*";
  const uris = await vscode.workspace.findFiles(pattern, ignored, mostFiles * 4);
  const recent = new Set(vscode.window.tabGroups.all.flatMap((g) => g.tabs).map(({ input }) => (input instanceof vscode.TabInputText ? input.uri.toString() : "")));
  const rank = (uri: vscode.Uri): number => (recent.has(uri.toString()) ? 0 : 1_000) + uri.path.length;
  return uris
    .sort((a, b) => rank(a) - rank(b) || a.path.localeCompare(b.path))
    .slice(0, mostFiles)
    .map(fileAttachment);
}

export function fileAttachment(uri: vscode.Uri): Attachment {
  return { kind: "file", label: vscode.workspace.asRelativePath(uri), uri: uri.toString() };
}

/** Returns the selection, or the whole file if nothing is selected. */
export function selectionAttachment({ document, selection }: vscode.TextEditor): Attachment {
  if (selection.isEmpty) return fileAttachment(document.uri);
  const first = selection.start.line + 1;
  // A selection that ends at the start of a line doesn't include that line.
  const last = Math.max(first, selection.end.line + (selection.end.character === 0 ? 0 : 1));
  return {
    kind: "selection",
    label: `${vscode.workspace.asRelativePath(document.uri)}:${first === last ? first : `${first}-${last}`}`,
    uri: document.uri.with({ fragment: first === last ? `L${first}` : `L${first}-L${last}` }).toString(),
  };
}

/** Returns a glob that matches the text literally, ignoring case. */
function anyCase(text: string): string {
  return [...text]
    .map((c) => {
      if (/[*?{}[\],!]/.test(c)) return "?";
      const [lower, upper] = [c.toLowerCase(), c.toUpperCase()];
      return lower === upper ? c : `[${lower}${upper}]`;
    })
    .join("");
}
