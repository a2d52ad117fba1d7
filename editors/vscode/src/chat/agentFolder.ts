/** The agent's folder: one of the workspace's; the agent may learn of the others. */
import { FixableError } from "./fixes.js";
import type { Editor } from "./editor.js";
import type { Machine } from "./machine.js";

export interface AgentFolder {
  cwd: string;
  folders: string[];
}

/**
 * `before` is the agent's earlier folder. Throws an error with a message for
 * the user.
 */
export function agentFolder(editor: Pick<Editor, "folders" | "trusted">, machine: Pick<Machine, "everyFolder">, before: string | undefined): AgentFolder {
  if (!editor.trusted()) throw new FixableError("Agents start only in trusted workspaces. Trust this workspace to continue.", "trust");
  const open = editor.folders();
  const known = before !== undefined && (machine.everyFolder || open.includes(before));
  const cwd = known ? before : open[0];
  if (cwd === undefined) throw new FixableError("Agents need a folder. Open one to continue.", "folder");
  return { cwd, folders: machine.everyFolder ? [] : open.filter((folder) => folder !== cwd) };
}
