/**
 * Finds a program that is named without a folder.
 *
 * Windows searches the working directory before PATH. That directory is the
 * workspace, so the repository's author could choose what runs. So a program is
 * looked up here and started by its full path.
 */
import { accessSync, constants, statSync } from "node:fs";
import { posix, win32 } from "node:path";

export interface Machine {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  /** Reports whether a path is an executable file. */
  canRun(path: string): boolean;
}

/** Returns this machine, for a program that gets this environment. */
export const here = (env: NodeJS.ProcessEnv): Machine => ({ platform: process.platform, env, canRun });

/**
 * Returns a command's path: the path itself if it contains a folder, otherwise the
 * first program of that name in PATH, or undefined. Ignores relative folders in
 * PATH, because they are inside the workspace.
 */
export function findProgram(command: string, machine: Machine): string | undefined {
  const windows = machine.platform === "win32";
  if ((windows ? /[\\/:]/ : /\//).test(command)) return command;
  const path = windows ? win32 : posix;
  const names = windows ? withExtensions(command, machine.env) : [command];
  for (const entry of (variable("PATH", machine) ?? "").split(path.delimiter)) {
    const folder = windows ? entry.replaceAll('"', "") : entry;
    if (!(windows ? /^([a-z]:[\\/]|[\\/]{2})/i : /^\//).test(folder)) continue;
    const found = names.map((name) => path.join(folder, name)).find((file) => machine.canRun(file));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Returns a variable. On Windows, case doesn't matter; returns the one that Node.js
 * passes on.
 */
function variable(name: string, { platform, env }: Machine): string | undefined {
  if (platform !== "win32") return env[name];
  const key = Object.keys(env).sort().find((k) => k.toUpperCase() === name);
  return key === undefined ? undefined : env[key];
}

/**
 * Returns the possible file names. Scripts (.bat, .cmd) can't be started without a
 * shell.
 */
function withExtensions(command: string, env: NodeJS.ProcessEnv): string[] {
  const all = variable("PATHEXT", { platform: "win32", env, canRun }) || ".COM;.EXE";
  const startable = all.toLowerCase().split(";").filter((e) => e === ".com" || e === ".exe");
  const names = startable.map((e) => command + e);
  return win32.extname(command) === "" ? names : [command, ...names];
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
