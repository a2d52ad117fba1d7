/**
 * A terminal of the editor for logins. It runs the program directly, so that no
 * shell interprets its arguments.
 */
import * as vscode from "vscode";

import type { LoginCommand } from "../chat/editor.js";
import { cleanOutput } from "./plainText.js";

/**
 * Resolves with the exit code, or undefined if the terminal was closed first.
 */
export async function runLogin({ command, args, env, cwd, title }: LoginCommand, signal: AbortSignal): Promise<number | undefined> {
  if (signal.aborted) return undefined;
  const terminal = vscode.window.createTerminal({
    name: `Turnwire: ${cleanOutput(title).slice(0, 60)}`,
    iconPath: new vscode.ThemeIcon("key"),
    shellPath: command,
    shellArgs: args,
    env,
    cwd,
    isTransient: true,
  });
  return new Promise((resolve) => {
    const close = (): void => terminal.dispose();
    signal.addEventListener("abort", close, { once: true });
    const closed = vscode.window.onDidCloseTerminal((one) => {
      if (one !== terminal) return;
      closed.dispose();
      signal.removeEventListener("abort", close);
      const { reason, code } = one.exitStatus ?? {};
      resolve(reason === vscode.TerminalExitReason.Process ? code : undefined);
    });
    terminal.show();
  });
}
