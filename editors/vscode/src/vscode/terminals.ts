/**
 * Shows the agent's commands as terminals of the editor. Users can read them, and
 * end them with Ctrl+C or by closing them. They take no input, because the
 * protocol has none.
 */
import * as vscode from "vscode";

import { exitStatus } from "../chat/process.js";
import type { RunningTerminal } from "../chat/terminals.js";
import { cleanOutput, unfinished } from "./plainText.js";

/** Most ended commands that stay open. */
const mostEnded = 5;

export class TerminalViews implements vscode.Disposable {
  readonly #views = new Set<vscode.Terminal>();
  #ended: vscode.Terminal[] = [];

  show(command: RunningTerminal): void {
    const written = new vscode.EventEmitter<string>();
    let isOpen = false;
    let rest = "";
    const write = (text: string): void => {
      if (!isOpen) return;
      const all = rest + text;
      rest = unfinished(all);
      written.fire(cleanOutput(all.slice(0, all.length - rest.length)));
    };
    const view = vscode.window.createTerminal({
      name: `Turnwire: ${cleanOutput(command.title).slice(0, 60)}`,
      iconPath: new vscode.ThemeIcon("comment-discussion"),
      isTransient: true,
      pty: {
        onDidWrite: written.event,
        open: () => {
          isOpen = true;
          write(`$ ${command.title}\n${command.output}`);
        },
        close: () => command.kill(),
        handleInput: (input: string) => {
          if (input === "\x03") command.kill();
        },
      },
    });
    this.#views.add(view);
    command.onOutput(write);
    command.onExit(({ exitCode, signal }) => {
      write(`\n[${exitStatus({ code: exitCode, signal })}]\n`);
      this.#end(view);
    });
  }

  dispose(): void {
    for (const view of this.#views) view.dispose();
    this.#views.clear();
  }

  #end(view: vscode.Terminal): void {
    this.#ended.push(view);
    for (const old of this.#ended.splice(0, this.#ended.length - mostEnded)) {
      old.dispose();
      this.#views.delete(old);
    }
  }
}
