/** The real server with the page for a test, and a browser in front of it. */
import assert from "node:assert/strict";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../patience.js";

const binary = process.env["TURNWIRE_BINARY"];
assert.ok(binary, "TURNWIRE_BINARY must name the binary to test");

/** An agent that does what a test tells it. */
export const scripted = ["--agent", "acp", "--", process.execPath, join(import.meta.dirname, "../../../test/page/agent.mjs")];

export class Served {
  readonly home = mkdtempSync(join(tmpdir(), "turnwire-page-"));
  readonly folder = join(this.home, "work");
  /** The server's stderr output. */
  said = "";
  url = "";
  readonly #args: string[];
  /** Chosen at the first start, then kept. */
  #port = 0;
  #child: ChildProcess | undefined;

  private constructor(args: string[]) {
    this.#args = args;
    mkdirSync(this.folder);
  }

  static async start(...args: string[]): Promise<Served> {
    const served = new Served(args);
    await served.up();
    return served;
  }

  /** Starts or restarts it at the same address. */
  async up(): Promise<void> {
    this.said = "";
    const child = spawn(binary!, ["serve", "--listen", `localhost:${this.#port}`, ...this.#args], { cwd: this.folder, env: this.#env(), stdio: ["ignore", "ignore", "pipe"] });
    this.#child = child;
    child.stderr!.setEncoding("utf8").on("data", (text: string) => (this.said += text));
    const ended = once(child, "exit");
    const [, url = ""] = await this.hears(/serving .* and (http\S*)\/acp/, ended);
    this.url = url;
    this.#port = Number(new URL(url).port);
  }

  /** Waits for output of the server. */
  async hears(what: RegExp, ended: Promise<unknown> = new Promise(() => {})): Promise<RegExpExecArray> {
    let gone = false;
    void ended.then(() => (gone = true));
    const silent = (): string => `the server has not said ${what}: ${this.said}`;
    return eventually(() => {
      const found = what.exec(this.said);
      assert.ok(found || !gone, silent());
      return found ?? undefined;
    }, silent);
  }

  /** Stops the server from reading, while it keeps its connections open. */
  freeze(): void {
    assert.ok(this.#child?.kill("SIGSTOP"));
  }

  /** Kills it, like a crash of the machine. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }

  /**
   * Makes everything the server stored that many hours older. The server must
   * not be running.
   */
  age(hours: number): void {
    const state = join(this.home, "state");
    const earlier = (time: string): string => new Date(Date.parse(time) - hours * 3_600_000).toISOString();
    for (const name of readdirSync(state, { recursive: true, encoding: "utf8" })) {
      const path = join(state, name);
      if (!statSync(path).isFile()) continue;
      const { mtimeMs } = statSync(path);
      writeFileSync(path, readFileSync(path, "utf8").replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, earlier));
      utimesSync(path, mtimeMs / 1000 - hours * 3_600, mtimeMs / 1000 - hours * 3_600);
    }
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child && child.exitCode === null && child.signalCode === null) {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      child.kill("SIGCONT"); // in case it was frozen
      await ended;
    }
    rmSync(this.home, { recursive: true, force: true });
  }

  /** Runs Turnwire on the same machine. */
  turnwire(...args: string[]): string {
    const { status, stdout, stderr } = spawnSync(binary!, args, { env: this.#env(), encoding: "utf8", cwd: this.folder });
    assert.equal(status, 0, stderr);
    return stdout.trim();
  }

  #env(): NodeJS.ProcessEnv {
    return { ...process.env, XDG_STATE_HOME: join(this.home, "state"), XDG_CONFIG_HOME: join(this.home, "config"), XDG_RUNTIME_DIR: this.home };
  }
}
