/**
 * A test fixture: a workspace, a host configured like the extension's, and a view
 * that follows it like the real one.
 */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import type { PendingRequest, Editor, LoginCommand, ReviewedFile, ShownDiff } from "../../src/chat/editor.js";
import type { WireEvent } from "../../src/chat/events.js";
import { thisMachine } from "../../src/chat/thisMachine.js";
import type { Agents } from "../../src/chat/agents.js";
import { Host, type HostOptions } from "../../src/chat/host.js";
import { Memory } from "../../src/chat/memory.js";
import { StateFile } from "../../src/chat/stateFile.js";
import type { Command } from "../../src/chat/command.js";
import type { RunningTerminal } from "../../src/chat/terminals.js";
import type { FromView, ToView } from "../../src/shared/messages.js";
import type { Fix, Item, Session } from "../../src/shared/model.js";
import { View } from "./view.js";

const binary = process.env["TURNWIRE_BINARY"];
assert.ok(binary, "TURNWIRE_BINARY must name the binary to test");

/** Turnwire with its workspace agent. */
export const turnwire: Command = { command: binary, args: ["acp"], env: {} };

/** Returns a stand-in for an agent: a program in test/chat/agents. */
export const standIn = (name: string, ...args: string[]): Command => ({
  command: process.execPath,
  args: [join(import.meta.dirname, "../../../test/chat/agents", `${name}.mjs`), ...args],
  env: {},
});

/** Records what the chat asked its editor to do. */
export class FakeEditor implements Editor {
  trust = true;
  open: string[];
  /** Unsaved texts, by path. */
  readonly buffers = new Map<string, string>();
  readonly asks: PendingRequest[] = [];
  readonly settledIds: string[] = [];
  readonly terminals: RunningTerminal[] = [];
  readonly diffs: ShownDiff[] = [];
  /** The titles and texts that were opened. */
  readonly texts: [title: string, text: string][] = [];
  readonly reviews: ReviewedFile[][] = [];
  readonly trashed: string[] = [];
  readonly told: string[] = [];
  /** Questions the user was asked outside of the chat. */
  readonly questions: string[] = [];
  yes = true;
  /** Login terminals, and what the user does in them. */
  readonly logins: LoginCommand[] = [];
  login: (login: LoginCommand, signal: AbortSignal) => Promise<number | undefined> = async () => undefined;

  constructor(folder: string) {
    this.open = [folder];
  }

  folders = (): string[] => this.open;
  trusted = (): boolean => this.trust;
  readTextFile = async (path: string): Promise<string> => this.buffers.get(path) ?? readFile(path, "utf8");
  writeTextFile = async (path: string, text: string): Promise<void> => {
    this.buffers.delete(path);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  };
  showTerminal = (terminal: RunningTerminal): void => void this.terminals.push(terminal);
  runLogin = (login: LoginCommand, signal: AbortSignal): Promise<number | undefined> => {
    this.logins.push(login);
    return this.login(login, signal);
  };
  openText = async (title: string, text: string): Promise<void> => void this.texts.push([title, text]);
  openDiff = async (diff: ShownDiff): Promise<void> => void this.diffs.push(diff);
  review = async (files: ReviewedFile[]): Promise<void> => void this.reviews.push(files);
  trash = async (path: string): Promise<void> => {
    this.trashed.push(path);
    await rm(path);
  };
  openFile = async (): Promise<void> => {};
  readonly fixes = ["install", "settings", "log", "again", "trust", "folder"] as const;
  readonly fixed: Fix[] = [];
  fix = async (fix: Fix): Promise<void> => void this.fixed.push(fix);
  openLink = async (): Promise<void> => {};
  copy = async (): Promise<void> => {};
  insert = async (): Promise<void> => {};
  findFiles = async (): Promise<[]> => [];
  confirm = async (question: string): Promise<boolean> => {
    this.questions.push(question);
    return this.yes;
  };
  tell = (message: string): void => void this.told.push(message);
  asked = (ask: PendingRequest): void => void this.asks.push(ask);
  settled = (id: string): void => void this.settledIds.push(id);
  sessionChanged = (_: Session): void => {};
}

export class Desk {
  readonly folder: string;
  readonly editor: FakeEditor;
  readonly view = new View();
  readonly events: WireEvent[] = [];
  readonly traffic: string[] = [];
  host!: Host;
  /** What the window remembers. */
  readonly memory: Memory;
  #agents: Record<string, Command>;
  #heldTimeout = 0;

  private constructor(folder: string, agents: Record<string, Command>) {
    this.folder = folder;
    this.memory = new Memory(join(folder, "storage", "chat.json"));
    this.editor = new FakeEditor(join(folder, "work"));
    this.#agents = agents;
  }

  /** Runs a test with a fresh desk, and cleans up in any case. */
  static async use(options: { agent?: Command; agents?: Record<string, Command>; files?: Record<string, string>; start?: boolean }, run: (desk: Desk) => Promise<void>): Promise<void> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "turnwire-vscode-")));
    const desk = new Desk(folder, options.agents ?? { workspace: options.agent ?? turnwire });
    await mkdir(desk.path("."), { recursive: true });
    for (const [name, text] of Object.entries(options.files ?? {})) await writeFile(desk.path(name), text);
    desk.open();
    try {
      if (options.start !== false) await desk.ready();
      await run(desk);
    } finally {
      await desk.host.close();
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Returns another window on the same folder that remembers the same chat, and waits that long for it. */
  beside(heldTimeout = 0): Desk {
    const other = new Desk(this.folder, this.#agents);
    other.#heldTimeout = heldTimeout;
    other.open();
    return other;
  }

  path(name: string): string {
    return join(this.folder, "work", name);
  }

  /** Creates a host like a new window does. */
  open(): void {
    this.host = new Host(this.options());
    this.host.attach((message) => this.view.take(message));
  }

  options(): HostOptions {
    const agents: Agents = {
      names: () => Object.keys(this.#agents),
      chosen: () => Object.keys(this.#agents)[0] ?? "",
      command: (name) => this.#agents[name] ?? assert.fail(`no agent ${name}`),
    };
    return {
      editor: this.editor,
      machine: thisMachine,
      agents,
      memory: this.memory,
      chosen: new StateFile(join(this.folder, "storage", "chosen.json")),
      queued: new StateFile(join(this.folder, "storage", "queue.json")),
      version: "0.0.0",
      heldTimeout: this.#heldTimeout,
      traffic: (direction, text) => this.traffic.push(direction + text()),
      onEvent: (event) => this.events.push(event),
    };
  }

  /** Replaces the workspace agent's command. */
  use(command: Command): void {
    this.#agents = { workspace: command };
  }

  /** Reloads the window. */
  async reload(): Promise<void> {
    await this.host.close();
    this.open();
    await this.ready();
  }

  async ready(): Promise<void> {
    await this.say({ type: "ready" });
  }

  /** Resolves when the host has handled the message: for a prompt, when the turn has ended. */
  async say(message: FromView): Promise<void> {
    await this.host.receive(message);
    this.host.flush();
    // Whatever the changes, they must produce the host's items.
    if (this.view.revision >= 0) assert.deepEqual(this.view.items, JSON.parse(JSON.stringify(this.host.conversation.chat.items)));
  }

  /** Runs a turn, answers its requests with that option, and returns its items. */
  async prompt(text: string, optionId?: string): Promise<Item[]> {
    const before = this.view.items.length;
    const turn = this.say({ type: "prompt", text, attachments: [] });
    if (optionId !== undefined) {
      const { permission } = await this.view.asks();
      await this.say({ type: "permission", requestId: permission.requestId, optionId });
    }
    await turn;
    return this.view.items.slice(before);
  }

  messages(type: ToView["type"]): ToView[] {
    return this.view.taken.filter((m) => m.type === type);
  }
}
