/**
 * The user's settings. All of them are machine settings: a repository must not
 * choose what runs.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";

import * as vscode from "vscode";

import type { Agents } from "../chat/agents.js";
import type { Command } from "../chat/command.js";

/** Turnwire's own agent, which needs no setup. */
const builtIn = "workspace";

interface AgentSetting {
  args?: string[];
  env?: Record<string, string>;
}

export class Settings implements Agents {
  /** Turnwire's program, unless the user has set another one. */
  readonly #program: string;

  constructor(extensionPath: string) {
    const included = join(extensionPath, "bin", process.platform === "win32" ? "turnwire.exe" : "turnwire");
    // The package for other platforms has no program.
    this.#program = existsSync(included) ? included : "turnwire";
  }

  names(): string[] {
    const { agents, agent } = read();
    return [...new Set([...Object.keys(agents), ...(agent ? [agent] : []), builtIn])];
  }

  chosen(): string {
    return read().agent || (this.names()[0] ?? builtIn);
  }

  command(name: string): Command {
    const { agents } = read();
    const setting = Object.hasOwn(agents, name) ? agents[name] : undefined;
    return {
      command: this.binary,
      args: setting?.args ?? ["acp", "--agent", name],
      env: setting?.env ?? {},
    };
  }

  get binary(): string {
    return read().command || this.#program;
  }

  async choose(name: string): Promise<void> {
    await vscode.workspace.getConfiguration("turnwire").update("agent", name, vscode.ConfigurationTarget.Global);
  }
}

function read(): { command: string; agent: string; agents: Record<string, AgentSetting> } {
  const settings = vscode.workspace.getConfiguration("turnwire");
  const text = (key: string): string => {
    const value = settings.get<unknown>(key);
    return typeof value === "string" ? value.trim() : "";
  };
  const agents = settings.get<unknown>("agents");
  return {
    command: text("command"),
    agent: text("agent"),
    agents: Object.fromEntries(entries(agents).map(([name, value]) => [name, readAgent(value)])),
  };
}

function readAgent(value: unknown): AgentSetting {
  if (typeof value !== "object" || value === null) return {};
  const { args, env } = value as { args?: unknown; env?: unknown };
  return {
    ...(Array.isArray(args) ? { args: args.map(String) } : {}),
    env: Object.fromEntries(entries(env).map(([name, v]) => [name, String(v)])),
  };
}

const entries = (value: unknown): [string, unknown][] =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
