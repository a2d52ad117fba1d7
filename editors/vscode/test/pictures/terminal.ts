/** Programs in a terminal, as HTML: tmux runs them and says what is on the screen. */
import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import Anser from "anser";

import { patience } from "../patience.js";

export class Terminal {
  readonly #socket: string;

  /** `command` is run in `folder`, in a terminal of so many columns and rows. */
  constructor(socket: string, folder: string, columns: number, rows: number, command: string, env: Record<string, string>) {
    this.#socket = socket;
    const variables = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
    // In one call: a server without a session exits.
    this.#tmux(
      "start-server", ";", "set", "-g", "default-terminal", "tmux-256color", ";", "set", "-ga", "terminal-overrides", ",*:Tc", ";",
      "new-session", "-d", "-x", `${columns}`, "-y", `${rows}`, "-c", folder, ...variables, command,
    );
  }

  #tmux(...args: string[]): string {
    return execFileSync("tmux", ["-S", this.#socket, "-f", "/dev/null", ...args], { encoding: "utf8" });
  }

  async types(text: string): Promise<void> {
    this.#tmux("send-keys", text, "Enter");
  }

  /** Waits until a text is on the screen. */
  async shows(text: string): Promise<void> {
    for (const end = Date.now() + patience; ; await sleep(100)) {
      const screen = this.#tmux("capture-pane", "-p");
      if (screen.includes(text)) return;
      if (Date.now() > end) throw new Error(`${text} is not on the screen:\n${screen}`);
    }
  }

  html(): string {
    return Anser.ansiToHtml(Anser.escapeForHtml(this.#tmux("capture-pane", "-e", "-p").trimEnd()), { use_classes: true });
  }

  close(): void {
    this.#tmux("kill-server");
  }
}
