/**
 * The process of an agent, with all that it starts.
 *
 * It leads a process group of its own, so that ending it ends its descendants. It
 * is asked first (its input ends), then told, then made to.
 */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { win32 } from "node:path";

import type { Command } from "./command.js";

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Why it could not be started. */
  error?: Error;
}

const askFor = 1_500;
const tellFor = 1_500;
/** How long output may still come from a process that is gone. */
const drainFor = 500;
const keptErrors = 4_096;

export class AgentProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** Resolves when the process is gone and its output has been read. */
  readonly exited: Promise<Exit>;
  #errors = "";
  #gone = false;

  /** The command is a path here: a name would be looked for in cwd. */
  constructor({ command, args, env }: Command, cwd: string, onErrors: (text: string) => void) {
    this.child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["pipe", "pipe", "pipe"],
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    this.child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#errors = (this.#errors + text).slice(-keptErrors);
      onErrors(text);
    });
    // A write to a process that is gone fails; that it is gone is told below.
    this.child.stdin.on("error", () => {});
    this.exited = new Promise((resolve) => {
      this.child.on("error", (error) => {
        this.#gone = this.child.pid === undefined;
        if (this.#gone) resolve({ code: null, signal: null, error });
      });
      this.child.on("exit", () => {
        // What it has started may hold its output open, and serves nobody now.
        setTimeout(() => {
          this.#signal("SIGKILL");
          setTimeout(() => this.child.stdout.destroy(), drainFor).unref();
        }, drainFor).unref();
      });
      this.child.on("close", (code, signal) => {
        this.#gone = true;
        resolve({ code, signal });
      });
    });
  }

  /** The end of what it has written to its standard error. */
  get errors(): string {
    return this.#errors.trim();
  }

  async stop(): Promise<void> {
    this.child.stdin.end();
    if (await this.#ends(askFor)) return;
    this.#signal("SIGTERM");
    if (await this.#ends(tellFor)) return;
    this.#signal("SIGKILL");
    await this.#ends(drainFor);
  }

  #ends(within: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), within);
      void this.exited.then(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.child;
    if (pid === undefined || this.#gone) return;
    killTree(pid, signal);
  }
}

/** Signals a process that leads its group, and its descendants. */
export function killTree(pid: number, signal: NodeJS.Signals): void {
  if (process.platform === "win32") {
    spawn(taskkill(), ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true }).on("error", () => {});
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is gone already.
  }
}

/** The system's own program; what lies in the working directory must not be taken for it. */
const taskkill = (): string => win32.join(process.env["SystemRoot"] ?? "C:\\Windows", "System32", "taskkill.exe");
