/**
 * The server that is an agent host: checks whether one is running, and starts one.
 *
 * It belongs to the user, not to a window: it keeps running when the editor closes,
 * and `turnwire stop` ends it.
 */
import { execFile, spawn } from "node:child_process";
import { open } from "node:fs/promises";
import { createServer } from "node:net";
import { homedir } from "node:os";
import { promisify } from "node:util";

import { exitStatus } from "./process.js";

const run = promisify(execFile);
const patience = 60_000;
const answerTime = 3_000;
const pause = 100;

/**
 * Reports whether a host at an address accepts a token. The request is plain HTTP, so
 * a host answers that it needs a WebSocket.
 */
export async function takes(address: string, token: string): Promise<boolean> {
  try {
    const url = new URL(address);
    url.protocol = url.protocol === "wss:" ? "https:" : "http:";
    url.searchParams.set("tkn", token);
    const { status } = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(answerTime) });
    return status === 426;
  } catch {
    return false;
  }
}

export interface Server {
  /** Turnwire's path. */
  program: string;
  /** Host and port. */
  listen: string;
  /** The socket that stops it. */
  socket: string;
  /** Its stderr is appended to this file. */
  log: string;
}

/** Starts a server; resolves when it answers at an address. */
export async function begin({ program, listen, socket, log }: Server, address: string, token: string): Promise<void> {
  const file = await open(log, "a", 0o600);
  try {
    const child = spawn(program, ["serve", "--listen", listen, "--auth", "token", "--socket", socket], {
      cwd: homedir(),
      detached: true,
      stdio: ["ignore", "ignore", file.fd],
      windowsHide: true,
    });
    let fault: string | undefined;
    child.on("error", (error) => (fault = error.message));
    child.on("exit", (code, signal) => (fault ??= `turnwire serve stopped (${exitStatus({ code, signal })})`));
    child.unref();
    for (const end = Date.now() + patience; !(await takes(address, token)); ) {
      if (fault !== undefined) throw new Error(fault);
      if (Date.now() > end) throw new Error(`turnwire serve does not respond at ${listen}`);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  } finally {
    await file.close();
  }
}

/** Stops the server. It is no error if none is running. */
export async function end(program: string, socket: string): Promise<void> {
  await run(program, ["stop", "--socket", socket], { timeout: patience, windowsHide: true }).catch(() => {});
}

/** Makes a token, replacing the one of the same name. */
export async function makeToken(program: string, name: string): Promise<string> {
  await revoke(program, name);
  const { stdout } = await run(program, ["token", "create", name], { timeout: patience, windowsHide: true });
  const token = stdout.trim();
  if (!/^\S+$/.test(token)) throw new Error("turnwire token create printed no token");
  return token;
}

export async function revoke(program: string, name: string): Promise<void> {
  await run(program, ["token", "revoke", name], { timeout: patience, windowsHide: true }).catch(() => {}); // there may be no such token
}

/** Returns a free port of this machine: the wanted one or another. */
export async function freePort(wanted: number): Promise<number> {
  for (const port of [wanted, 0]) {
    const got = await new Promise<number | undefined>((resolve) => {
      const server = createServer();
      server.on("error", () => resolve(undefined));
      server.listen(port, "127.0.0.1", () => {
        const address = server.address();
        server.close(() => resolve(typeof address === "object" ? address?.port : undefined));
      });
    });
    if (got !== undefined) return got;
  }
  throw new Error("no free port");
}
