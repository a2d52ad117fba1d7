/**
 * The ways to log in that an agent names, and what each takes: a request, a command
 * in a terminal, or variables that the agent must be started with.
 *
 * They are read from the answer as it came. The library knows two kinds, and what an
 * older agent says of its variables is lost in it.
 */
import type { LoginMethod } from "../shared/model.js";
import { commandLine, type Command } from "./command.js";
import { cutMiddle } from "./cut.js";

const maxMethods = 20;
const maxText = 2_000;

export interface Way {
  shown: LoginMethod;
  /** What runs in the editor's terminal; the library's request is sent without it. */
  command?: Command;
}

/** `agent` is how the agent itself was started: a terminal login is that with more behind it. */
export function waysOf(methods: unknown, agent: Command): Way[] {
  const ways = (Array.isArray(methods) ? methods : []).flatMap((method) => wayOf(record(method), agent));
  const first = new Map(ways.toReversed().map((way) => [way.shown.id, way]));
  return ways.filter((way) => first.get(way.shown.id) === way).slice(0, maxMethods);
}

function wayOf(method: Record<string, unknown>, agent: Command): Way[] {
  const { id, type } = method;
  // Turnwire's own says that no login is needed: there is nothing to offer.
  if (typeof id !== "string" || record(method["_meta"])["turnwire.dev/no-login"] === true) return [];
  const description = text(method["description"]);
  const shown: LoginMethod = { id, name: text(method["name"]) || id, ...(description ? { description } : {}) };
  const command = commandOf(method, agent);
  if (command) return [{ shown: { ...shown, command: lineOf(command) }, command: { ...command, env: { ...agent.env, ...command.env } } }];
  if (type === "env_var") return [{ shown: { ...shown, variables: variablesOf(method) } }];
  return type === undefined || type === null || type === "agent" ? [{ shown }] : [];
}

/** In the form of the protocol, or in the one that agents had before it. */
function commandOf(method: Record<string, unknown>, agent: Command): Command | undefined {
  if (method["type"] === "terminal") {
    return { command: agent.command, args: [...agent.args, ...texts(method["args"])], env: variables(method["env"]) };
  }
  const { command, args, env } = record(record(method["_meta"])["terminal-auth"]);
  if (typeof command !== "string" || command === "") return undefined;
  return { command, args: texts(args), env: variables(env) };
}

function variablesOf(method: Record<string, unknown>): NonNullable<LoginMethod["variables"]> {
  // One of them alone is how it was said at first.
  const all = Array.isArray(method["vars"]) ? method["vars"] : [{ name: method["varName"] }];
  return all.slice(0, maxMethods).flatMap((value) => {
    const { name, label, optional } = record(value);
    const said = text(label);
    return typeof name === "string" ? [{ name, ...(said ? { label: said } : {}), optional: optional === true }] : [];
  });
}

/** As a person would type it, with what is set for this command alone. */
const lineOf = ({ command, args, env }: Command): string =>
  cutMiddle([...Object.entries(env).map(([name, value]) => `${name}=${commandLine([value])}`), commandLine([command, ...args])].join(" "), maxText);

const text = (value: unknown): string => (typeof value === "string" ? cutMiddle(value, maxText) : "");
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.filter((v) => typeof v === "string") : []);
const record = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
const variables = (value: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(record(value)).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
