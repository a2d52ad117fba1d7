/**
 * Where a program is that is named without a folder.
 *
 * Windows looks into the working directory before it looks into PATH, and that is
 * the workspace: whoever wrote the repository would choose what is run. So a
 * program is looked up here, and started by its whole path.
 */
import { accessSync, constants, statSync } from "node:fs";
import { posix, win32 } from "node:path";

export interface Machine {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  /** Whether at a path is a file that can be run. */
  canRun(path: string): boolean;
}

/** The machine that this runs on, for a program that gets this environment. */
export const here = (env: NodeJS.ProcessEnv): Machine => ({ platform: process.platform, env, canRun });

/**
 * The path of a command: its own where it has a folder, otherwise that of the first
 * program of that name in a folder of PATH; undefined where there is none. A folder
 * of PATH that is not absolute would be one of the workspace, and does not count.
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

/** A variable; on Windows, where case does not matter, the one that Node passes on. */
function variable(name: string, { platform, env }: Machine): string | undefined {
  if (platform !== "win32") return env[name];
  const key = Object.keys(env).sort().find((k) => k.toUpperCase() === name);
  return key === undefined ? undefined : env[key];
}

/** What the file may be called. Scripts (.bat, .cmd) cannot be started without a shell. */
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
