/**
 * An agent's process, with everything that it starts.
 *
 * It leads its own process group, so that ending it ends its descendants. First
 * its stdin is closed, then it gets a signal, then it is killed.
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

/** Describes an exit in the same words as Turnwire. */
export const exitStatus = ({ code, signal }: { code: number | null | undefined; signal: string | null | undefined }): string =>
  signal ? `signal: ${signal}` : `exit status ${code ?? "unknown"}`;

const askFor = 1_500;
const tellFor = 1_500;
/** Milliseconds that output may still arrive after the exit. */
const drainFor = 500;
const keptErrors = 4_096;

export class AgentProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** Resolves when the process has exited and its output was read. */
  readonly exited: Promise<Exit>;
  #errors = "";
  #exited = false;

  /** The command must be a path: a name would be looked up in cwd. */
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
    // A write to an exited process fails; the exit is reported below.
    this.child.stdin.on("error", () => {});
    this.exited = new Promise((resolve) => {
      this.child.on("error", (error) => {
        this.#exited = this.child.pid === undefined;
        if (this.#exited) resolve({ code: null, signal: null, error });
      });
      this.child.on("exit", () => {
        // Descendants may hold the output open, but serve nobody any more.
        setTimeout(() => {
          this.#signal("SIGKILL");
          setTimeout(() => this.child.stdout.destroy(), drainFor).unref();
        }, drainFor).unref();
      });
      this.child.on("close", (code, signal) => {
        this.#exited = true;
        resolve({ code, signal });
      });
    });
  }

  /** The end of its stderr output. */
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
    if (pid === undefined || this.#exited) return;
    killTree(pid, signal);
  }
}

/** Signals a process group's leader and its descendants. */
export function killTree(pid: number, signal: NodeJS.Signals): void {
  if (process.platform === "win32") {
    spawn(taskkill(), ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true }).on("error", () => {});
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is already gone.
  }
}

/** The system's own program, never one from the working directory. */
const taskkill = (): string => win32.join(process.env["SystemRoot"] ?? "C:\\Windows", "System32", "taskkill.exe");
