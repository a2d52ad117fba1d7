/** The chat in the status bar: its agent, status, usage and cost. */
import * as vscode from "vscode";

import type { Session } from "../shared/model.js";
import { forNotification } from "./plainText.js";
import { spent } from "./usageText.js";

export class StatusBar implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem("turnwire.status", vscode.StatusBarAlignment.Right, 100);

  constructor() {
    this.#item.name = "Turnwire";
    this.#item.command = "turnwire.focus";
  }

  show(session: Session, waiting: number): void {
    const { status, usage } = session;
    const used = usage ? spent(usage) : "";
    const icon = waiting > 0 ? "$(bell-dot)" : icons[status];
    const agent = forNotification(session.agent).replace(/\$\(/g, "(");
    this.#item.text = [`${icon} ${agent}`, used].filter(Boolean).join("  ");
    this.#item.tooltip = [`Turnwire: ${words(session, waiting)}`, forNotification(session.title), used && `Context and cost: ${used}`].filter(Boolean).join("\n");
    this.#item.accessibilityInformation = { label: `Turnwire, ${agent}: ${words(session, waiting)} ${used}`, role: "button" };
    const color = waiting > 0 ? "warning" : status === "failed" ? "error" : undefined;
    this.#item.backgroundColor = color && new vscode.ThemeColor(`statusBarItem.${color}Background`);
    this.#item.show();
  }

  dispose(): void {
    this.#item.dispose();
  }
}

const icons: Record<Session["status"], string> = {
  starting: "$(loading~spin)",
  idle: "$(comment-discussion)",
  running: "$(loading~spin)",
  cancelling: "$(loading~spin)",
  failed: "$(error)",
};

function words({ status }: Session, waiting: number): string {
  if (waiting > 0) return "waiting for your answer";
  return { starting: "starting", idle: "ready", running: "working", cancelling: "cancelling", failed: "stopped" }[status];
}
