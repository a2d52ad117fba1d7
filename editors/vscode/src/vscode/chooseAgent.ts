/**
 * Lets the user choose an agent: the configured ones, and those that Turnwire
 * knows by name, with their availability.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

import * as vscode from "vscode";

import { findProgram, here } from "../chat/program.js";
import type { Settings } from "./settings.js";

const run = promisify(execFile);
const patience = 15_000;

interface Known {
  name: string;
  title: string;
  reachable: boolean | null;
  detail: string;
}

export async function chooseAgent(settings: Settings, cwd: string | undefined): Promise<string | undefined> {
  const picked = await vscode.window.showQuickPick(choices(settings, cwd), {
    title: "Turnwire: Choose Agent",
    placeHolder: "Agent for new chats",
    matchOnDetail: true,
  });
  return picked?.label;
}

async function choices(settings: Settings, cwd: string | undefined): Promise<vscode.QuickPickItem[]> {
  const known = await listed(settings.binary, cwd);
  const names = [...new Set([...settings.names(), ...known.map((k) => k.name)])];
  return names.map((label) => {
    const agent = known.find((k) => k.name === label);
    const mark = label === settings.chosen() ? "$(check) chosen" : "";
    const state = agent?.reachable === false ? "$(circle-slash) unreachable" : "";
    return {
      label,
      description: [agent?.title, state, mark].filter(Boolean).join("  "),
      ...(agent?.detail ? { detail: agent.detail } : {}),
    };
  });
}

/** Returns the output of `turnwire agents`, or nothing if it is unusable. */
async function listed(binary: string, cwd: string | undefined): Promise<Known[]> {
  const program = findProgram(binary, here(process.env));
  if (program === undefined) return [];
  try {
    const { stdout } = await run(program, ["agents", "--json"], { cwd, timeout: patience, maxBuffer: 1 << 20, windowsHide: true });
    const agents: unknown = JSON.parse(stdout);
    return Array.isArray(agents) ? agents.flatMap(readKnown) : [];
  } catch {
    return [];
  }
}

function readKnown(value: unknown): Known[] {
  if (typeof value !== "object" || value === null || !("name" in value) || typeof value.name !== "string") return [];
  const { name, title, reachable, detail } = value as Record<string, unknown>;
  const text = (v: unknown): string => (typeof v === "string" ? v : "");
  return [{ name: text(name), title: text(title), detail: text(detail), reachable: typeof reachable === "boolean" ? reachable : null }];
}
