/**
 * VS Code without a desktop, with the packaged extension.
 *
 * One server serves all windows of a test file; each window has its own folder.
 */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "../../..");
const entry = join(root, "test/code-server/node_modules/code-server/out/node/entry.js");
/** Where test/run.mjs installed the extension. */
const installed = process.env["TURNWIRE_EXTENSIONS"] ?? "";
assert.ok(installed, "run the tests by test/run.mjs, which installs the extension for them");

export class Server {
  readonly #folder: string;
  readonly #child: ChildProcess;
  readonly url: string;

  private constructor(folder: string, child: ChildProcess, url: string) {
    this.#folder = folder;
    this.#child = child;
    this.url = url;
  }

  /** `extensions` are the manifests of additional ones, which have no code. */
  static async start(settings: Record<string, unknown> = {}, extensions: Manifest[] = []): Promise<Server> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "turnwire-code-")));
    const data = join(folder, "data");
    const all = JSON.stringify({ ...quiet, ...settings });
    // In a server's window, machine settings and user settings are two files.
    for (const place of ["User", "Machine"]) {
      await mkdir(join(data, place), { recursive: true });
      await writeFile(join(data, place, "settings.json"), all);
    }
    const place = extensions.length === 0 ? installed : await withMore(extensions, join(folder, "extensions"));
    const config = join(folder, "config.yaml");
    await writeFile(config, "auth: none\n");
    const args = [entry, "--config", config, "--user-data-dir", data, "--extensions-dir", place];
    const env = { ...process.env, HOME: folder, XDG_DATA_HOME: join(folder, "share"), XDG_CONFIG_HOME: join(folder, "config") };
    const child = spawn(
      process.execPath,
      [...args, "--bind-addr", "127.0.0.1:0", "--auth", "none", "--disable-telemetry", "--disable-update-check", "--disable-proxy"],
      { env, stdio: ["ignore", "pipe", "inherit"], detached: true },
    );
    for await (const line of createInterface({ input: child.stdout! })) {
      const [, url] = /listening on (http:\S+)/.exec(line) ?? [];
      if (!url) continue;
      child.stdout!.resume();
      return new Server(folder, child, url.replace(/\/$/, ""));
    }
    return assert.fail("code-server has ended before it served");
  }

  /** Creates a folder with files, for a window. */
  async workspace(name: string, files: Record<string, string>): Promise<string> {
    const folder = join(this.#folder, "work", name);
    await mkdir(folder, { recursive: true });
    for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
    return folder;
  }

  /** Returns the processes that run the windows' extensions. */
  extensionHosts(): number[] {
    const found = execFileSync("pgrep", ["-g", String(this.#child.pid), "-f", "type=extensionHost"], { encoding: "utf8" });
    return found.trim().split("\n").map(Number);
  }

  get data(): string {
    return join(this.#folder, "data");
  }

  async stop(): Promise<void> {
    const gone = new Promise((resolve) => this.#child.once("exit", resolve));
    process.kill(-this.#child.pid!, "SIGTERM");
    await gone;
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface Manifest {
  name: string;
  publisher: string;
  version: string;
}

/**
 * Copies the installed extensions to a folder, with additional ones. Without an
 * index file, VS Code finds all that are there.
 */
async function withMore(manifests: Manifest[], folder: string): Promise<string> {
  for (const name of await readdir(installed)) {
    if (name.startsWith("turnwire.")) await cp(join(installed, name), join(folder, name), { recursive: true });
  }
  for (const manifest of manifests) {
    const place = join(folder, `${manifest.publisher}.${manifest.name}-${manifest.version}`);
    await mkdir(place, { recursive: true });
    await writeFile(join(place, "package.json"), JSON.stringify(manifest));
  }
  return folder;
}

/** Turns off everything that covers what the tests look at. */
const quiet = {
  "turnwire.command": process.env["TURNWIRE_BINARY"],
  "security.workspace.trust.enabled": false,
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.welcomePage.walkthroughs.openOnInstall": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "chat.commandCenter.enabled": false,
  "editor.accessibilitySupport": "off",
  "extensions.ignoreRecommendations": true,
  "telemetry.telemetryLevel": "off",
  "git.enabled": false,
  "remote.autoForwardPorts": false,
  // A canvas has no text to search.
  "terminal.integrated.gpuAcceleration": "off",
  // In a browser the editor saves automatically; on the desktop it doesn't.
  "files.autoSave": "off",
};
