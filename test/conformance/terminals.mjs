// An editor's terminals: each runs a command.

import { spawn } from "node:child_process";

export class Terminals {
  #all = new Map();

  async create({ command, args = [], env = [], cwd }) {
    const terminal = { output: "" };
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...Object.fromEntries(env.map((v) => [v.name, v.value])) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => (terminal.output += text));
    }
    terminal.child = child;
    terminal.exit = new Promise((resolve) => {
      child.on("close", (exitCode, signal) => resolve((terminal.status = { exitCode, signal })));
    });
    await new Promise((resolve, reject) => child.once("spawn", resolve).once("error", reject));
    const terminalId = `terminal-${this.#all.size + 1}`;
    this.#all.set(terminalId, terminal);
    return { terminalId };
  }

  output({ terminalId }) {
    const { output, status } = this.#all.get(terminalId);
    return { output, truncated: false, exitStatus: status ?? null };
  }

  wait({ terminalId }) {
    return this.#all.get(terminalId).exit;
  }

  kill({ terminalId }) {
    this.#all.get(terminalId).child.kill("SIGKILL");
    return {};
  }

  release(params) {
    this.kill(params);
    return {};
  }

  // text is the output of a terminal's command.
  text(terminalId) {
    return this.#all.get(terminalId).output;
  }
}
