/** Adds agents from the ACP registry to the user's turnwire.json. */
import * as vscode from "vscode";

import { reason, turnwire } from "./turnwire.js";

interface Entry {
  id: string;
  name: string;
  version: string;
  description: string;
}

/**
 * Lets the user choose an agent of the registry, and adds it. Returns its name, or
 * undefined if nothing was added.
 */
export async function findAgent(binary: string): Promise<string | undefined> {
  try {
    const picked = await vscode.window.showQuickPick(entries(binary), {
      title: "Turnwire: Add an Agent",
      placeHolder: "Agent in the ACP registry",
      matchOnDescription: true,
      matchOnDetail: true,
    });
    return picked && (await addAgent(binary, picked.label));
  } catch (error) {
    void vscode.window.showErrorMessage(`Turnwire: ${reason(error)}`);
    return undefined;
  }
}

async function entries(binary: string): Promise<vscode.QuickPickItem[]> {
  const found: unknown = JSON.parse(await turnwire(binary, ["agents", "search", "--json"]));
  return (Array.isArray(found) ? found : []).map((entry: Partial<Entry>) => ({
    label: String(entry.id),
    description: `${entry.name ?? ""} ${entry.version ?? ""}`,
    detail: entry.description ?? "",
  }));
}

/**
 * Shows what would be added and asks. Returns the name, or undefined if the user
 * refuses or it fails.
 */
export async function addAgent(binary: string, name: string): Promise<string | undefined> {
  try {
    const detail = await turnwire(binary, ["agents", "add", name, "--print"]);
    const add = "Add";
    const answer = await vscode.window.showInformationMessage(`Add ${name} from the ACP registry?`, { modal: true, detail }, add);
    if (answer !== add) return undefined;
    const progress = { location: vscode.ProgressLocation.Notification, title: `Adding ${name}` };
    await vscode.window.withProgress(progress, () => turnwire(binary, ["agents", "add", name, "--yes"]));
    return name;
  } catch (error) {
    void vscode.window.showErrorMessage(`Turnwire: ${reason(error)}`);
    return undefined;
  }
}
