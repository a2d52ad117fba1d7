/** Runs Turnwire's commands that don't open a chat. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { findProgram, here } from "../chat/program.js";

const run = promisify(execFile);

/**
 * Returns the output of a command. An agent's download may take long, so there is
 * no time limit unless the caller sets one.
 */
export async function turnwire(binary: string, args: string[], more: { cwd?: string | undefined; timeout?: number } = {}): Promise<string> {
  const program = findProgram(binary, here(process.env));
  if (program === undefined) throw new Error(`${binary} is not in PATH`);
  const { stdout } = await run(program, args, { ...more, maxBuffer: 16 << 20, windowsHide: true });
  return stdout;
}

/** Returns the last line that a failed command printed to stderr. */
export function reason(error: unknown): string {
  const stderr = typeof error === "object" && error !== null && "stderr" in error ? String(error.stderr) : "";
  const last = stderr.trim().split("\n").at(-1)?.replace(/^turnwire: /, "");
  return last || (error instanceof Error ? error.message : String(error));
}
