/**
 * Which side bar has the chat. Extensions can use the secondary side bar since VS Code
 * 1.106. An installation that already had the chat in the activity bar keeps it there.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

import * as vscode from "vscode";

/** A view's id in each side bar. */
const views = { left: "turnwire.chat", right: "turnwire.chatRight" } as const;
export const viewIds: readonly string[] = Object.values(views);

type Side = keyof typeof views;

export class SideBar implements vscode.Disposable {
  readonly #byDefault: Side;
  readonly #settings: vscode.Disposable;

  constructor(context: vscode.ExtensionContext) {
    this.#byDefault = defaultSide(context);
    this.#settings = vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("turnwire.sideBar")) this.#show();
    });
    this.#show();
  }

  /** The id of the chat's view. */
  get viewId(): string {
    return views[this.#side];
  }

  dispose(): void {
    this.#settings.dispose();
  }

  get #side(): Side {
    const wanted = vscode.workspace.getConfiguration("turnwire").get<unknown>("sideBar");
    return hasRight() && (wanted === "left" || wanted === "right") ? wanted : this.#byDefault;
  }

  #show(): void {
    void vscode.commands.executeCommand("setContext", "turnwire.right", this.#side === "right");
  }
}

const hasRight = (): boolean => {
  const [major = 0, minor = 0] = vscode.version.split(".").map(Number);
  return major > 1 || minor >= 106;
};

/** Decides once, so that the chat doesn't move later. */
function defaultSide({ globalState, globalStorageUri }: vscode.ExtensionContext): Side {
  if (!hasRight()) return "left";
  const decided = globalState.get<unknown>("sideBar");
  if (decided === "left" || decided === "right") return decided;
  const side = wasUsed(globalStorageUri.fsPath) ? "left" : "right";
  void globalState.update("sideBar", side);
  return side;
}

/** Reports whether an earlier version stored something in any workspace. */
function wasUsed(storage: string): boolean {
  const all = join(storage, "../../workspaceStorage");
  try {
    return readdirSync(all).some((workspace) => existsSync(join(all, workspace, "turnwire.turnwire")));
  } catch {
    return false; // there is no workspace yet
  }
}
