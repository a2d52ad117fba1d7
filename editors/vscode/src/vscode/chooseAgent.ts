/**
 * Lets the user choose an agent: the configured ones, and those that Turnwire
 * knows by name, with their availability. One that is not installed is added from
 * the ACP registry, if the user agrees.
 */
import * as vscode from "vscode";

import { addAgent, findAgent } from "./addAgent.js";
import type { Settings } from "./settings.js";
import { turnwire } from "./turnwire.js";

const timeout = 15_000;

interface Known {
  name: string;
  title: string;
  reachable: boolean | null;
  detail: string;
  source: string;
  addable: boolean;
}

/** A choice. Without an agent, it is the one that adds another agent. */
interface Choice extends vscode.QuickPickItem {
  agent?: string;
  addable?: boolean;
  /** The agent is built in, but not installed. */
  missing?: boolean;
}

export async function chooseAgent(settings: Settings, cwd: string | undefined): Promise<string | undefined> {
  const picked = await vscode.window.showQuickPick(choices(settings, cwd), {
    title: "Turnwire: Choose Agent",
    placeHolder: "Agent for new chats",
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (!picked) return undefined;
  if (picked.agent === undefined) return findAgent(settings.binary);
  return picked.addable ? addAgent(settings.binary, picked.agent) : picked.agent;
}

async function choices(settings: Settings, cwd: string | undefined): Promise<Choice[]> {
  const known = await listed(settings.binary, cwd);
  const own = settings.names();
  const names = [...new Set([...own, ...known.filter(isChoice).map((k) => k.name)])];
  const all = names.map((label): Choice => {
    const agent = known.find((k) => k.name === label);
    const addable = agent?.addable === true && !own.includes(label);
    const mark = label === settings.chosen() ? "$(check) chosen" : "";
    const unreachable = agent?.reachable === false && !addable;
    return {
      label,
      agent: label,
      addable,
      missing: addable || (unreachable && agent.source === "built in" && !own.includes(label)),
      description: [agent?.title, unreachable ? "$(circle-slash) unreachable" : "", mark].filter(Boolean).join("  "),
      ...(agent?.detail && !addable ? { detail: agent.detail } : {}),
    };
  });
  const separator: Choice = { label: "Not installed", kind: vscode.QuickPickItemKind.Separator };
  const missing = all.filter((choice) => choice.missing).sort((a, b) => Number(b.addable) - Number(a.addable));
  return [
    ...all.filter((choice) => !choice.missing),
    ...(missing.length > 0 ? [separator, ...missing] : []),
    { label: "$(add) Add an agent…", description: "from the ACP registry" },
  ];
}

/** Reports whether an agent needs nothing that only its configuration can have, such as an address. */
const isChoice = (agent: Known): boolean => agent.reachable !== null || agent.source !== "built in";

/** Returns the output of `turnwire agents`, or nothing if it is unusable. */
async function listed(binary: string, cwd: string | undefined): Promise<Known[]> {
  try {
    const agents: unknown = JSON.parse(await turnwire(binary, ["agents", "--json"], { cwd, timeout }));
    return Array.isArray(agents) ? agents.flatMap(readKnown) : [];
  } catch {
    return [];
  }
}

function readKnown(value: unknown): Known[] {
  if (typeof value !== "object" || value === null || !("name" in value) || typeof value.name !== "string") return [];
  const { name, title, reachable, detail, source, addable } = value as Record<string, unknown>;
  const text = (v: unknown): string => (typeof v === "string" ? v : "");
  return [
    {
      name: text(name),
      title: text(title),
      detail: text(detail),
      source: text(source),
      addable: addable === true,
      reachable: typeof reachable === "boolean" ? reachable : null,
    },
  ];
}
