/**
 * The agent's login methods and what each needs: a request, a terminal command, or
 * variables that the agent must be started with.
 *
 * They are read from the raw response. The library knows only two kinds, and drops
 * older agents' variables.
 */
import type { LoginMethod } from "../shared/model.js";
import { commandLine, type Command } from "./command.js";
import { cutMiddle } from "./cutText.js";

const maxMethods = 20;
const maxText = 2_000;

export interface Way {
  shown: LoginMethod;
  /** Runs in the editor's terminal; if unset, the library's request is sent. */
  command?: Command;
}

/**
 * Returns the supported login methods. `agent` is the agent's own command: a
 * terminal login is that command with more arguments.
 */
export function waysOf(methods: unknown, agent: Command): Way[] {
  const ways = (Array.isArray(methods) ? methods : []).flatMap((method) => wayOf(record(method), agent));
  const first = new Map(ways.toReversed().map((way) => [way.shown.id, way]));
  return ways.filter((way) => first.get(way.shown.id) === way).slice(0, maxMethods);
}

function wayOf(method: Record<string, unknown>, agent: Command): Way[] {
  const { id, type } = method;
  // Turnwire lists a placeholder if no login is needed; don't offer it.
  if (typeof id !== "string" || record(method["_meta"])["turnwire.dev/no-login"] === true) return [];
  const description = text(method["description"]);
  const shown: LoginMethod = { id, name: text(method["name"]) || id, ...(description ? { description } : {}) };
  const command = commandOf(method, agent);
  if (command) return [{ shown: { ...shown, command: lineOf(command) }, command: { ...command, env: { ...agent.env, ...command.env } } }];
  if (type === "env_var") return [{ shown: { ...shown, variables: variablesOf(method) } }];
  return type === undefined || type === null || type === "agent" ? [{ shown }] : [];
}

/**
 * Returns the terminal command, in the protocol's form or in the older one of
 * agents.
 */
function commandOf(method: Record<string, unknown>, agent: Command): Command | undefined {
  if (method["type"] === "terminal") {
    return { command: agent.command, args: [...agent.args, ...texts(method["args"])], env: variables(method["env"]) };
  }
  const { command, args, env } = record(record(method["_meta"])["terminal-auth"]);
  if (typeof command !== "string" || command === "") return undefined;
  return { command, args: texts(args), env: variables(env) };
}

function variablesOf(method: Record<string, unknown>): NonNullable<LoginMethod["variables"]> {
  // Originally, a method had a single variable.
  const all = Array.isArray(method["vars"]) ? method["vars"] : [{ name: method["varName"] }];
  return all.slice(0, maxMethods).flatMap((value) => {
    const { name, label, optional } = record(value);
    const known = text(label);
    return typeof name === "string" ? [{ name, ...(known ? { label: known } : {}), optional: optional === true }] : [];
  });
}

/** Formats the command as a user would type it, including its own variables. */
const lineOf = ({ command, args, env }: Command): string =>
  cutMiddle([...Object.entries(env).map(([name, value]) => `${name}=${commandLine([value])}`), commandLine([command, ...args])].join(" "), maxText);

const text = (value: unknown): string => (typeof value === "string" ? cutMiddle(value, maxText) : "");
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.filter((v) => typeof v === "string") : []);
const record = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
const variables = (value: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(record(value)).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
