/**
 * The user's settings. All of them are machine settings: a repository must not
 * choose what runs.
 */
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
  names(): string[] {
    const { agents, agent } = read();
    return [...new Set([...Object.keys(agents), ...(agent ? [agent] : []), builtIn])];
  }

  chosen(): string {
    return read().agent || (this.names()[0] ?? builtIn);
  }

  command(name: string): Command {
    const { command, agents } = read();
    const setting = Object.hasOwn(agents, name) ? agents[name] : undefined;
    return {
      command,
      args: setting?.args ?? ["acp", "--agent", name],
      env: setting?.env ?? {},
    };
  }

  get binary(): string {
    return read().command;
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
    command: text("command") || "turnwire",
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
