/**
 * VS Code 1.139 without a desktop and without an extension. Its own chat speaks the
 * Agent Host Protocol with a test's server.
 */
import { spawn, type ChildProcess } from "node:child_process";
import assert from "node:assert/strict";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "../../..");
const packages = join(root, "test/ahp/code/node_modules");
const node = join(packages, `node-linux-${process.arch}/bin/node`);
const entry = join(packages, "code-server/lib/vscode/out/server-main.js");

export class Code {
  private constructor(
    readonly folder: string,
    readonly url: string,
    private readonly child: ChildProcess,
  ) {}

  /**
   * Starts it; its chat uses the server at that URL with that token. A socket path is
   * not supported. `extension` installs ours: new, or after an earlier version stored
   * something.
   */
  static async start(url: string, token: string, extension?: "new" | "updated"): Promise<Code> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "turnwire-chat-")));
    const data = join(folder, "data");
    for (const place of ["User", "Machine", "data/User", "data/Machine"]) {
      await mkdir(join(data, place), { recursive: true });
      if (extension === "updated") await mkdir(join(data, place, "workspaceStorage", "one", "turnwire.turnwire"), { recursive: true });
      await writeFile(join(data, place, "settings.json"), JSON.stringify(quiet));
    }
    if (extension) await install(join(folder, "extensions", "turnwire"));
    const { hostname, port: at } = new URL(url);
    const child = spawn(node, [
      entry, "--host", "127.0.0.1", "--port", "0", "--without-connection-token", "--accept-server-license-terms",
      "--server-data-dir", data, "--user-data-dir", data, "--extensions-dir", join(folder, "extensions"), "--telemetry-level", "off",
      "--agent-host-bridge-host", hostname, "--agent-host-bridge-port", at, "--agent-host-bridge-connection-token", token,
    ], { env: { ...process.env, HOME: folder, XDG_RUNTIME_DIR: folder }, stdio: ["ignore", "pipe", "ignore"], detached: true });
    for await (const line of createInterface({ input: child.stdout! })) {
      const [, port] = /listening on (\d+)/.exec(line) ?? [];
      if (!port) continue;
      child.stdout!.resume();
      return new Code(folder, `http://127.0.0.1:${port}`, child);
    }
    return assert.fail("VS Code has ended before it served");
  }

  async stop(): Promise<void> {
    const gone = once(this.child, "exit");
    process.kill(-this.child.pid!, "SIGTERM");
    await gone;
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Installs our extension without an index file, so that VS Code finds it. */
async function install(folder: string): Promise<void> {
  for (const part of ["package.json", "dist", "images"]) await cp(join(root, part), join(folder, part), { recursive: true });
}

/**
 * Turns off everything that covers what the tests look at, and the question about
 * trust.
 */
const quiet = {
  "security.workspace.trust.enabled": false,
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "editor.accessibilitySupport": "off",
  "extensions.ignoreRecommendations": true,
  "telemetry.telemetryLevel": "off",
  "git.enabled": false,
  "remote.autoForwardPorts": false,
};
