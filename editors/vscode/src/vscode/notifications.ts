/**
 * Notifies the user about pending requests while the chat is hidden.
 *
 * A notification shows the whole request before it offers to allow it. A request that is
 * too long, can't be shown as text or changes a file is opened first. The notification
 * disappears when the request is settled, wherever that happens. Therefore it is a
 * progress notification, the only kind that an extension can close, and its choices are
 * links. Its one button opens the request; it allows and cancels nothing.
 *
 * Allowing choices are plain text at first, and become links after the notification was
 * visible for a while.
 */
import * as vscode from "vscode";

import type { PendingRequest } from "../chat/editor.js";
import type { PermissionChoice, ToolCall } from "../shared/model.js";
import { reviewedAs, wholeText } from "./requestText.js";
import type { DiffViews } from "./diffView.js";
import { fitsNotification, forNotification } from "./plainText.js";
import { Settling } from "./settling.js";

export const answerCommand = "turnwire.answer";
const focusCommand = "turnwire.focus";

/** The editor would cut longer texts. */
const mostText = 400;

interface Shown {
  /** Updates its text. */
  draw: () => void;
  /** Closes the notification. */
  close: () => void;
}

export class Notifications implements vscode.Disposable {
  readonly #shown = new Map<string, Shown>();
  readonly #requests = new Map<string, PendingRequest>();
  /**
   * Requests that the user opened, so that they can be answered in their notifications.
   */
  readonly #reviewed = new Set<string>();
  readonly #diffs: DiffViews;
  #visible: ReadonlySet<string> = new Set();
  /** Commands run in order, so this one completes after the earlier updates. */
  readonly #settling = new Settling(
    () => vscode.commands.executeCommand("setContext", "turnwire.notifications", this.#shown.size),
    () => this.#draw(),
  );

  constructor(diffs: DiffViews) {
    this.#diffs = diffs;
  }

  /** Records a request, and shows it if its chat is hidden. */
  asked(request: PendingRequest): void {
    this.#requests.set(request.id, request);
    this.#tellDiffs();
    if (!this.#visible.has(request.chatId)) this.#show(request);
  }

  settled(id: string): void {
    this.#requests.delete(id);
    this.#reviewed.delete(id);
    this.#close(id);
    this.#tellDiffs();
  }

  /** Sets the visible chats. */
  setVisible(chats: ReadonlySet<string>): void {
    const before = this.#visible;
    this.#visible = chats;
    for (const ask of this.#requests.values()) {
      if (chats.has(ask.chatId)) this.#close(ask.id);
      else if (before.has(ask.chatId)) this.#show(ask);
    }
  }

  /**
   * Returns the chat of a notification's choice, if the choice counts. An allowing choice
   * doesn't until the notification was visible for a while.
   */
  accepts(id: string, optionId: string): string | undefined {
    const ask = this.#requests.get(id);
    const option = ask?.type === "permission" ? ask.permission.options.find((o) => o.id === optionId) : undefined;
    return option !== undefined && (!allows(option) || this.#settling.settled) ? ask?.chatId : undefined;
  }

  get waiting(): number {
    return this.#requests.size;
  }

  /** Opens the whole request, then offers to allow it; opens the chat if only that can show everything. */
  async review(id: string): Promise<void> {
    const ask = this.#requests.get(id);
    if (!ask) return;
    if (ask.type !== "permission" || this.#reviewed.has(id)) return void vscode.commands.executeCommand(focusCommand, ask.chatId);
    const { call } = ask;
    const index = call.content.findIndex((c) => c.type === "diff");
    const diff = call.content[index];
    if (reviewedAs(call) === undefined) return void vscode.commands.executeCommand(focusCommand, ask.chatId);
    if (diff?.type === "diff") await this.#diffs.open({ chatId: ask.chatId, toolCallId: call.id, index, title: call.title, diff });
    else await this.#diffs.openText(call.title, wholeText(call, ask.permission).join("\n\n"));
    if (!this.#requests.has(id)) return; // it was answered while it opened
    this.#reviewed.add(id);
    this.#close(id);
    this.#show(ask);
  }

  dispose(): void {
    for (const id of [...this.#shown.keys()]) this.#close(id);
    this.#settling.stop();
  }

  #draw(): void {
    for (const shown of this.#shown.values()) shown.draw();
  }

  #show(request: PendingRequest): void {
    if (this.#shown.has(request.id)) return;
    // A notification with a button is shown in full; one without is cut to a line. This
    // is the cancel button, and VS Code accepts its name here, although its types don't
    // say so. If it were labelled "Cancel", it would still only open the request.
    const cancellable = this.#button(request) as unknown as boolean;
    this.#settling.restart(); // before other notifications move
    const options = { location: vscode.ProgressLocation.Notification, title: "Turnwire", cancellable };
    void vscode.window.withProgress(options, (progress, token) => {
      token.onCancellationRequested(() => {
        this.#close(request.id);
        void this.review(request.id);
      });
      return new Promise<void>((resolve) => {
        this.#shown.set(request.id, { draw: () => progress.report({ message: this.#words(request) }), close: resolve });
        this.#settling.restart();
      });
    });
  }

  #button(ask: PendingRequest): string {
    if (ask.type === "question") return "Answer…";
    if (ask.type === "login") return "Log In…";
    return this.#reviewed.has(ask.id) ? "Open Chat" : "Review…";
  }

  #close(id: string): void {
    const shown = this.#shown.get(id);
    if (!shown) return;
    this.#shown.delete(id);
    this.#settling.restart(); // before other notifications move
    shown.close();
  }

  #words(ask: PendingRequest): string {
    if (ask.type === "question") return `The agent asks: ${shorten(forNotification(ask.question.message))}`;
    if (ask.type === "login") return `Login required: ${shorten(forNotification(ask.login.message))}`;
    if (this.#reviewed.has(ask.id)) return `${headline(ask.call)} ${this.#choices(ask)}`;
    const texts = wholeText(ask.call, ask.permission);
    const text = texts.map(forNotification).join(" — ");
    const fits = text.length <= mostText && texts.every(fitsNotification);
    if (fits && reviewedAs(ask.call) === "text") return `The agent asks: ${text} ${this.#choices(ask)}`;
    return `${headline(ask.call)} ${link("Open chat", focusCommand, [ask.chatId])}`;
  }

  #choices(ask: Extract<PendingRequest, { type: "permission" }>): string {
    return ask.permission.options.map((o) => {
      if (allows(o) && !this.#settling.settled) return marked(o.name, marks[o.kind]);
      return link(o.name, answerCommand, [ask.id, o.id], marks[o.kind]);
    }).join(" · ");
  }

  /** Diff views have buttons as long as a request is pending. */
  #tellDiffs(): void {
    const asks = [...this.#requests.values()];
    this.#diffs.setAsking(asks.flatMap((ask) => (ask.type === "permission" ? [{ chatId: ask.chatId, toolCallId: ask.call.id }] : [])));
  }
}

/** Marks what an option does, because the agent chooses its name. */
const marks = { allow_once: "✓", allow_always: "✓✓", reject_once: "✗", reject_always: "✗✗" } as const;

const allows = ({ kind }: PermissionChoice): boolean => kind.startsWith("allow");

const marked = (label: string, mark?: string): string => `${mark ? `${mark}\u00a0` : ""}${forNotification(label)}`;

function link(label: string, command: string, args: string[] = [], mark?: string): string {
  const query = args.length > 0 ? `?${encodeURIComponent(JSON.stringify(args)).replace(/[()]/g, escape)}` : "";
  return `[${marked(label, mark)}](command:${command}${query})`;
}

/** Escapes what `encodeURIComponent` leaves, and what would end a link. */
const escape = (c: string): string => `%${c.charCodeAt(0).toString(16)}`;

function headline({ title, content }: ToolCall): string {
  const diffs = content.filter((c) => c.type === "diff");
  const count = diffs.length > 0 ? ` (+${sum(diffs.map((d) => d.added))} −${sum(diffs.map((d) => d.removed))})` : "";
  return `The agent asks: ${shorten(forNotification(title))}${count}`;
}

const sum = (numbers: number[]): number => numbers.reduce((a, b) => a + b, 0);
const shorten = (text: string): string => (text.length <= mostText ? text : `${text.slice(0, mostText)}…`);
