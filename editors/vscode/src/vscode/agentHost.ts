/**
 * Agents in VS Code's own chat. `turnwire serve` is an agent host: this finds or
 * starts a server and gives VS Code its address, only with the user's consent,
 * because anybody who reads the token in the settings can run commands as the
 * user.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import * as vscode from "vscode";

import { errorText } from "../chat/rpcError.js";
import { begin, end, freePort, makeToken, revoke, takes } from "../chat/hostServer.js";
import { findProgram, here } from "../chat/program.js";
import type { Settings } from "./settings.js";

const setting = "turnwire.agentHost";
const hosts = "chat.remoteAgentHosts";
const hostsOn = "chat.remoteAgentHostsEnabled";
const unsynced = "settingsSync.ignoredSettings";
const title = "Turnwire";
const usualPort = 7777;
const offeredContext = "turnwire.agentHostOffered";

interface Entry {
  name: string;
  address: string;
  connectionToken: string;
}

export class AgentHost implements vscode.Disposable {
  readonly #settings: Settings;
  readonly #folder: string;
  readonly #log: vscode.LogOutputChannel;
  readonly #listener: vscode.Disposable;
  #work: Promise<void> = Promise.resolve();

  /** `folder` holds the server's files. */
  constructor(settings: Settings, folder: string, log: vscode.LogOutputChannel) {
    this.#settings = settings;
    this.#folder = folder;
    this.#log = log;
    void vscode.commands.executeCommand("setContext", offeredContext, offered());
    this.#listener = vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(setting)) this.#apply(true);
    });
    if (wanted()) this.#apply(false);
  }

  /** Turns it on after asking the user. */
  async turnOn(): Promise<void> {
    const yes = "Show Them";
    const chosen = await vscode.window.showInformationMessage(
      "Show your agents in VS Code's own chat?",
      {
        modal: true,
        detail:
          "If no server is running, “turnwire serve” is started on this machine and keeps running after VS Code closes. " +
          `Its address and a token are written to the setting ${hosts}, which Settings Sync excludes. Anyone who can read that token can run commands as you.`,
      },
      yes,
    );
    if (chosen === yes) await update(setting, true);
  }

  async turnOff(): Promise<void> {
    await update(setting, false);
  }

  dispose(): void {
    this.#listener.dispose();
  }

  /**
   * Runs actions one after the other; `waited` means that the user waits for the result.
   */
  #apply(waited: boolean): void {
    this.#work = this.#work.then(async () => {
      try {
        if (!offered()) return;
        if (wanted()) await this.#show();
        else if (waited) await this.#hide();
      } catch (error) {
        this.#log.error(`VS Code's own chat: ${errorText(error)}`);
        void this.#tell(`Turnwire: your agents cannot be shown in VS Code's own chat: ${errorText(error)}.`);
      }
    });
  }

  async #show(): Promise<void> {
    const program = this.#program();
    const own = entries().find((e) => e.name === title);
    if (own && (await takes(own.address, own.connectionToken))) {
      return this.#log.info(`VS Code's own chat: a server runs at ${own.address}`);
    }
    const token = await makeToken(program, tokenName());
    let listen = `127.0.0.1:${usualPort}`;
    if (!(await takes(addressOf(listen), token))) {
      listen = `127.0.0.1:${await freePort(usualPort)}`;
      await mkdir(this.#folder, { recursive: true });
      await begin({ program, listen, socket: this.#socket(), log: join(this.#folder, "serve.log") }, addressOf(listen), token);
    }
    const address = addressOf(listen);
    await tellCode({ name: title, address, connectionToken: token });
    this.#log.info(`VS Code's own chat: the agents are at ${address}`);
  }

  async #hide(): Promise<void> {
    const program = this.#program();
    await write(entries().filter((e) => e.name !== title));
    await revoke(program, tokenName());
    await end(program, this.#socket());
    this.#log.info("VS Code's own chat: the agents are no longer shown");
  }

  #program(): string {
    const program = findProgram(this.#settings.binary, here(process.env));
    if (program === undefined) throw new Error(`${this.#settings.binary} was not found`);
    return program;
  }

  #socket(): string {
    return process.platform === "win32" ? String.raw`\\.\pipe\turnwire-${tokenName()}` : join(this.#folder, "serve.sock");
  }

  async #tell(text: string): Promise<void> {
    const show = "Show Log";
    if ((await vscode.window.showErrorMessage(text, show)) === show) this.#log.show();
  }
}

const addressOf = (listen: string): string => `ws://${listen}/ahp`;

/**
 * Versions before 1.139, and forks without the feature, don't have the setting. In a
 * remote window it belongs to another machine.
 */
function offered(): boolean {
  if (vscode.env.remoteName !== undefined && vscode.env.uiKind === vscode.UIKind.Desktop) return false;
  return vscode.workspace.getConfiguration().inspect(hosts)?.defaultValue !== undefined;
}

const wanted = (): boolean => vscode.workspace.getConfiguration().get<unknown>(setting) === true;

/** Each VS Code variant has its own token. */
const tokenName = (): string => `${vscode.env.appName.toLowerCase().replaceAll(/[^a-z]+/g, "-").replaceAll(/^-|-$/g, "") || "vscode"}-chat`;

/** The hosts in VS Code's settings, unchanged. */
const entries = (): Entry[] => {
  const value = vscode.workspace.getConfiguration().inspect<unknown>(hosts)?.globalValue;
  return Array.isArray(value) ? (value as Entry[]) : [];
};

async function tellCode(entry: Entry): Promise<void> {
  await keepFromSync();
  await write([...entries().filter((e) => e.name !== title), entry]);
  if (vscode.workspace.getConfiguration().get<unknown>(hostsOn) === false) await update(hostsOn, true);
}

const write = (all: Entry[]): Promise<void> => update(hosts, all.length > 0 ? all : undefined);

async function keepFromSync(): Promise<void> {
  const found = vscode.workspace.getConfiguration().inspect<unknown>(unsynced);
  if (found?.defaultValue === undefined) return;
  const ignored: unknown[] = Array.isArray(found.globalValue) ? found.globalValue : [];
  if (!ignored.includes(hosts)) await update(unsynced, [...ignored, hosts]);
}

async function update(key: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration().update(key, value, vscode.ConfigurationTarget.Global);
}
