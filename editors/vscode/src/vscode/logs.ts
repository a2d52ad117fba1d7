/**
 * Logs in the editor's output panel. Wire traffic contains messages and file
 * contents, so it is only logged at the "Trace" level, which the user chooses. The
 * same applies to events, except for their headlines.
 */
import * as vscode from "vscode";

import type { Traffic } from "../chat/connection.js";
import { describe, type WireEvent } from "../chat/events.js";

const mostOfLine = 20_000;

export class Logs implements vscode.Disposable {
  readonly log = vscode.window.createOutputChannel("Turnwire", { log: true });
  readonly events = vscode.window.createOutputChannel("Turnwire Events", { log: true });

  readonly traffic: Traffic = (direction, text) => {
    if (direction === "!") this.log.warn(`agent: ${text().trimEnd()}`);
    else if (this.log.logLevel === vscode.LogLevel.Trace) this.log.trace(direction, text().slice(0, mostOfLine));
  };

  event(event: WireEvent): void {
    const whole = this.events.logLevel === vscode.LogLevel.Trace;
    this.events.info(describe(event, whole).slice(0, mostOfLine));
  }

  dispose(): void {
    this.log.dispose();
    this.events.dispose();
  }
}
