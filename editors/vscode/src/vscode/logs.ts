/**
 * Logs for people, in the editor's output panel. What goes over the wire holds what
 * people say and files hold, so it is written only at the level "Trace", which the
 * person chooses; so is all of an event but its headline.
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
