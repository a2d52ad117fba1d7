/** Chats of earlier versions: saved as files once, and available from then on. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";

import * as vscode from "vscode";

import { errorText } from "../chat/rpcError.js";
import { saveOldChats } from "../chat/oldChats.js";

export class OldChats {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Saves the chats in the extension's storage and tells the user where they are. */
  static async find(storage: string): Promise<OldChats> {
    const old = new OldChats(join(storage, "old-chats"));
    try {
      const saved = await saveOldChats(join(storage, "chats"), old.#folder);
      if (saved > 0) void old.#tell(saved);
    } catch (error) {
      void vscode.window.showErrorMessage(`Turnwire: chats from an earlier version could not be converted and were left unchanged: ${errorText(error)}`);
    }
    await vscode.commands.executeCommand("setContext", "turnwire.oldChats", (await old.#files()).length > 0);
    return old;
  }

  async show(): Promise<void> {
    const picked = await vscode.window.showQuickPick(await this.#files(), { title: "Chats from an Earlier Version", placeHolder: "Choose a chat to read", matchOnDescription: true });
    if (picked) await vscode.window.showTextDocument(vscode.Uri.file(join(this.#folder, picked)), { preview: true });
  }

  async #tell(saved: number): Promise<void> {
    const show = "Show…";
    const message = `Turnwire now saves chats itself. ${saved === 1 ? "One chat" : `${saved} chats`} from an earlier version can still be read.`;
    if ((await vscode.window.showInformationMessage(message, show)) === show) await this.show();
  }

  async #files(): Promise<string[]> {
    return (await readdir(this.#folder).catch((): string[] => [])).sort().reverse();
  }
}
