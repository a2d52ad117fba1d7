/** VS Code's remedies for errors in the chat. */
import * as vscode from "vscode";

import type { Fix } from "../shared/model.js";

const installed = "https://github.com/turnwire/turnwire#install";

/** All remedies except restarting the agent, which the chat does itself. */
export const fixes: readonly Fix[] = ["install", "settings", "log", "again", "trust", "folder"];

export async function fix(which: Fix, around: { showLog(): void; openLink(href: string): Promise<void> }): Promise<void> {
  switch (which) {
    case "install":
      return around.openLink(installed);
    case "settings":
      // Machine settings: in a remote window, they are on a separate page.
      return void (await vscode.commands.executeCommand(
        vscode.env.remoteName === undefined ? "workbench.action.openSettings" : "workbench.action.openRemoteSettings",
        { query: "@ext:turnwire.turnwire" },
      ));
    case "log":
      return around.showLog();
    case "trust":
      return void (await vscode.commands.executeCommand("workbench.trust.manage"));
    case "folder":
      return void (await vscode.commands.executeCommand("workbench.action.files.openFolder"));
    case "again":
      return;
  }
}
