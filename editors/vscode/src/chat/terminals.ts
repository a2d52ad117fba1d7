/**
 * The agent's terminals: commands that run here for the agent, and that the editor
 * shows.
 *
 * They run without a pty, because the protocol has no input for them. A terminal
 * belongs to the agent until it releases it. Then, or when the chat ends, whatever
 * still runs in it is ended with all its descendants.
 */
import { spawn, type ChildProcess } from "node:child_process";

import { RequestError, type CreateTerminalRequest, type TerminalExitStatus, type TerminalOutputResponse } from "@agentclientprotocol/sdk";

import { commandLine } from "./command.js";
import { killTree } from "./process.js";
import { ByteTail } from "./tail.js";
import { newId } from "../shared/newId.js";

const defaultLimit = 1 << 20;
const mostBytes = 8 << 20;
const mostTerminals = 64;

/** A running command, for display. */
export interface RunningTerminal {
  readonly id: string;
  /** The command as a user would type it. */
  readonly title: string;
  readonly cwd: string;
  /** The output before the first listener. */
  readonly output: string;
  onOutput(listener: (text: string) => void): void;
  onExit(listener: (status: TerminalExitStatus) => void): void;
  kill(): void;
}

export class Terminals {
  readonly #running = new Map<string, Terminal>();
  readonly #begun: (terminal: RunningTerminal) => void;

  /** Calls `begun` with each terminal before it prints anything. */
  constructor(begun: (terminal: RunningTerminal) => void) {
    this.#begun = begun;
  }

  /** `signal` ends the command: the agent withdrew the request or is gone. */
  async create(request: CreateTerminalRequest, cwd: string, signal: AbortSignal): Promise<{ terminalId: string }> {
    signal.throwIfAborted();
    if (this.#running.size >= mostTerminals) {
      throw RequestError.internalError({ details: `the limit of ${mostTerminals} terminals is reached; release one first` });
    }
    const terminal = new Terminal(request, cwd);
    await terminal.started;
    if (signal.aborted) terminal.kill();
    signal.throwIfAborted();
    this.#running.set(terminal.id, terminal);
    this.#begun(terminal);
    return { terminalId: terminal.id };
  }

  output(id: string): TerminalOutputResponse {
    return this.#get(id).read();
  }

  waitForExit(id: string): Promise<TerminalExitStatus> {
    return this.#get(id).exited;
  }

  kill(id: string): void {
    this.#get(id).kill();
  }

  release(id: string): void {
    const terminal = this.#get(id);
    this.#running.delete(id);
    terminal.kill();
  }

  releaseAll(): void {
    for (const id of [...this.#running.keys()]) this.release(id);
  }

  #get(id: string): Terminal {
    const terminal = this.#running.get(id);
    if (!terminal) throw RequestError.invalidParams({ details: `unknown terminal ${JSON.stringify(id)}` });
    return terminal;
  }
}

class Terminal implements RunningTerminal {
  readonly id = `terminal-${newId()}`;
  readonly title: string;
  readonly cwd: string;
  readonly started: Promise<void>;
  readonly exited: Promise<TerminalExitStatus>;
  readonly #child: ChildProcess;
  readonly #tail: ByteTail;
  readonly #outputListeners: ((text: string) => void)[] = [];
  #status: TerminalExitStatus | undefined;

  constructor({ command, args = [], env = [], outputByteLimit }: CreateTerminalRequest, cwd: string) {
    this.title = args.length === 0 ? command : commandLine([command, ...args]);
    this.cwd = cwd;
    this.#tail = new ByteTail(Math.min(outputByteLimit ?? defaultLimit, mostBytes));
    this.#child = start(command, args, {
      cwd,
      env: { ...process.env, ...Object.fromEntries(env.map(({ name, value }) => [name, value])) },
    });
    const child = this.#child;
    this.started = new Promise((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (error) => reject(RequestError.internalError({ details: `${command}: ${error.message}` })));
    });
    this.exited = new Promise((resolve) => {
      child.once("close", (exitCode, signal) => {
        this.#status = { exitCode, signal };
        resolve(this.#status);
      });
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => this.#print(text));
    }
  }

  get output(): string {
    return this.#tail.text;
  }

  read(): TerminalOutputResponse {
    return { output: this.#tail.text, truncated: this.#tail.truncated, ...(this.#status ? { exitStatus: this.#status } : {}) };
  }

  onOutput(listener: (text: string) => void): void {
    this.#outputListeners.push(listener);
  }

  onExit(listener: (status: TerminalExitStatus) => void): void {
    void this.exited.then(listener);
  }

  kill(): void {
    const { pid } = this.#child;
    if (pid !== undefined && !this.#status) killTree(pid, "SIGKILL");
  }

  #print(text: string): void {
    this.#tail.push(text);
    for (const listener of this.#outputListeners) listener(text);
  }
}

/**
 * Starts a command. Without arguments, it may be a whole shell line: agents send
 * both forms, and the protocol doesn't say which one is meant.
 */
function start(command: string, args: string[], options: { cwd: string; env: NodeJS.ProcessEnv }): ChildProcess {
  return spawn(command, args, {
    ...options,
    shell: args.length === 0,
    stdio: ["ignore", "pipe", "pipe"],
    detached: process.platform !== "win32",
    windowsHide: true,
  });
}
