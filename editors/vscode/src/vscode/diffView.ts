/** Diffs in the editor's own view, with buttons that answer their calls. */
import { basename } from "node:path";

import * as vscode from "vscode";

import type { ShownDiff } from "../chat/editor.js";
import { Settling } from "./settling.js";

export const scheme = "turnwire-diff";
const mostShown = 20;

/** A tool call of a chat. */
export type Call = Pick<ShownDiff, "chatId" | "toolCallId">;

const same = (a: Call, b: Call): boolean => a.chatId === b.chatId && a.toolCallId === b.toolCallId;

interface Shown {
  left: vscode.Uri;
  right: vscode.Uri;
  shown: ShownDiff;
}

export class DiffViews implements vscode.Disposable, vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();
  readonly #shown: Shown[] = [];
  readonly #read: vscode.Uri[] = [];
  readonly #provider: vscode.Disposable;
  readonly #tabs: vscode.Disposable;
  /** The allowing button appears with a view, and with a request about it. */
  readonly #settling = new Settling(
    () => this.#tellContext(),
    () => void vscode.commands.executeCommand("setContext", "turnwire.diffsSettled", this.#settling.settled),
  );
  /** The calls with pending requests. */
  #asking: readonly Call[] = [];
  #count = 0;

  constructor() {
    this.#provider = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
    this.#tabs = vscode.window.tabGroups.onDidChangeTabs(({ opened, changed }) => {
      if ([...opened, ...changed].some((tab) => tab.isActive)) this.#settling.restart();
    });
  }

  /** Whether the allowing button works. It doesn't until it has been visible for a while. */
  get settled(): boolean {
    return this.#settling.settled;
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? "This content is no longer available.";
  }

  async open(shown: ShownDiff): Promise<void> {
    const { diff, index } = shown;
    let view = this.#shown.find((s) => same(s.shown, shown) && s.shown.index === index && s.shown.diff === diff);
    if (!view) {
      view = { left: this.#text("before", diff.path, diff.oldText ?? ""), right: this.#text("after", diff.path, diff.newText), shown };
      this.#shown.push(view);
      for (const old of this.#shown.splice(0, this.#shown.length - mostShown)) {
        this.#texts.delete(old.left.toString());
        this.#texts.delete(old.right.toString());
      }
    }
    const what = diff.oldText === undefined ? "new file" : "proposed change";
    this.#settling.restart();
    await vscode.commands.executeCommand("vscode.diff", view.left, view.right, `${basename(diff.path)} (${what})`, { preview: true });
    // A busy editor may have taken longer than the pause to draw the view.
    this.#settling.restart();
  }

  /** Opens a text from the agent for reading. */
  async openText(title: string, text: string): Promise<void> {
    const uri = this.#text("text", `${title.replace(/[/\\]/g, " ").slice(0, 40)}.txt`, text);
    this.#read.push(uri);
    for (const old of this.#read.splice(0, this.#read.length - mostShown)) this.#texts.delete(old.toString());
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true });
  }

  /** Returns the diff that a view shows. */
  shownAt(uri: vscode.Uri | undefined): ShownDiff | undefined {
    const view = this.#shown.find(({ left, right }) => [left, right].some((u) => u.toString() === uri?.toString()));
    return view?.shown;
  }

  /** Sets the calls with pending requests: only their views have buttons. */
  setAsking(calls: readonly Call[]): void {
    this.#asking = calls;
    this.#settling.restart();
  }

  /** Closes a call's views, because it was answered. */
  async close(call: Call): Promise<void> {
    const uris = new Set(this.#shown.filter((s) => same(s.shown, call)).map((s) => s.right.toString()));
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const closing = tabs.filter(({ input }) => input instanceof vscode.TabInputTextDiff && uris.has(input.modified.toString()));
    if (closing.length > 0) await vscode.window.tabGroups.close(closing);
  }

  dispose(): void {
    this.#provider.dispose();
    this.#tabs.dispose();
    this.#settling.stop();
  }

  #tellContext(): Thenable<unknown> {
    const uris = this.#shown.filter((s) => this.#asking.some((call) => same(call, s.shown))).map((s) => s.right.toString());
    return vscode.commands.executeCommand("setContext", "turnwire.askingDiffs", uris);
  }

  /** The path at the end lets the editor detect the language. */
  #text(side: string, path: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme, path: `/${++this.#count}/${side}/${path.replace(/^[/\\]+/, "")}` });
    this.#texts.set(uri.toString(), text);
    return uri;
  }
}
