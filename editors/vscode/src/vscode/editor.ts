/** Implements the chat's editor with VS Code. */
import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";

import * as vscode from "vscode";

import type { PendingRequest, Editor, LoginCommand, ReviewedFile, ShownDiff } from "../chat/editor.js";
import { relativeTo } from "../chat/files.js";
import type { RunningTerminal } from "../chat/terminals.js";
import type { Attachment, Fix, Session } from "../shared/model.js";
import { fix, fixes } from "./fixes.js";
import type { DiffViews } from "./diffView.js";
import { runLogin } from "./loginTerminal.js";
import { findFiles } from "./mentions.js";
import { forNotification } from "./plainText.js";
import { trash, type Reviews } from "./reviews.js";
import type { TerminalViews } from "./terminals.js";
import { readText, writeText } from "./textFiles.js";

export interface Around {
  diffs: DiffViews;
  reviews: Reviews;
  terminals: TerminalViews;
  showLog(): void;
  asked(request: PendingRequest): void;
  settled(id: string): void;
  sessionChanged(session: Session): void;
}

export class CodeEditor implements Editor {
  readonly #around: Around;

  constructor(around: Around) {
    this.#around = around;
  }

  folders(): string[] {
    const folders = vscode.workspace.workspaceFolders ?? [];
    return folders.filter((f) => f.uri.scheme === "file").map((f) => f.uri.fsPath);
  }

  trusted(): boolean {
    return vscode.workspace.isTrusted;
  }

  readTextFile(path: string): Promise<string> {
    return readText(path);
  }

  writeTextFile(path: string, text: string): Promise<void> {
    return writeText(path, text);
  }

  showTerminal(terminal: RunningTerminal): void {
    this.#around.terminals.show(terminal);
  }

  runLogin(login: LoginCommand, signal: AbortSignal): Promise<number | undefined> {
    return runLogin(login, signal);
  }

  openDiff(diff: ShownDiff): Promise<void> {
    return this.#around.diffs.open(diff);
  }

  openText(title: string, text: string): Promise<void> {
    return this.#around.diffs.openText(title, text);
  }

  review(files: readonly ReviewedFile[]): Promise<void> {
    return this.#around.reviews.open(files);
  }

  trash(path: string): Promise<void> {
    return trash(path);
  }

  async chooseAgent(): Promise<void> {
    await vscode.commands.executeCommand("turnwire.chooseAgent");
  }

  fixes = fixes;

  fix(which: Fix): Promise<void> {
    return fix(which, { showLog: this.#around.showLog, openLink: (href) => this.openLink(href) });
  }

  async openFile(path: string, line?: number): Promise<void> {
    const folders = this.folders();
    const absolute = isAbsolute(path) ? path : join(folders[0] ?? "", path);
    // Ask before accessing the path: it may be on another machine.
    const inside = relativeTo(folders, absolute) !== undefined;
    if (!inside && !(await this.confirm(`Open this file outside the workspace?\n\n${absolute}`, "Open"))) return;
    const uri = vscode.Uri.file(absolute);
    const at = line ? new vscode.Range(line - 1, 0, line - 1, 0) : undefined;
    await vscode.window.showTextDocument(uri, { preview: true, ...(at ? { selection: at } : {}) });
  }

  async openLink(href: string): Promise<void> {
    const url = URL.canParse(href) ? new URL(href) : undefined;
    if (url?.protocol === "file:") return this.openFile(fileURLToPath(new URL(url.pathname, "file://")));
    if (!url || !["https:", "http:", "mailto:"].includes(url.protocol)) return this.tell(`Unsupported link: ${href}`);
    // Show the URL in its final form, in which other scripts are encoded.
    if (await this.confirm(`Open this link?\n\n${url.href}`, "Open")) await vscode.env.openExternal(vscode.Uri.parse(url.href, true));
  }

  async copy(text: string): Promise<void> {
    await vscode.env.clipboard.writeText(text);
  }

  async insert(text: string): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor) return this.tell("Open a file first. The text is inserted at its cursor.");
    await editor.edit((edit) => edit.replace(editor.selection, text));
    await vscode.window.showTextDocument(editor.document, editor.viewColumn);
  }

  findFiles(query: string): Promise<Attachment[]> {
    return findFiles(query);
  }

  async confirm(question: string, yes: string): Promise<boolean> {
    const [message = "", ...detail] = question.split("\n\n");
    return (await vscode.window.showWarningMessage(message, { modal: true, detail: detail.join("\n\n") }, yes)) === yes;
  }

  tell(message: string): void {
    void vscode.window.showErrorMessage(`Turnwire: ${forNotification(message)}`);
  }

  asked(request: PendingRequest): void {
    this.#around.asked(request);
  }

  settled(id: string): void {
    this.#around.settled(id);
  }

  sessionChanged(session: Session): void {
    this.#around.sessionChanged(session);
  }
}
