/**
 * Whether what a tool was called with is all said by what stands around it: the
 * command, the difference, the reason. What a person consents to must be in sight,
 * and what is in sight need not be there a second time as JSON.
 */
import type { DiffLine, ToolCall } from "../../shared/model.js";

export interface Input {
  command?: string;
  /** Where the command runs. */
  folder?: string;
  /** What else there is, as JSON; or all of it, where it is no command. */
  rest: string;
  restSaid: boolean;
}

const longest = 100_000;
const deepest = 20;
const folders = ["cwd", "workdir", "working_directory", "workingDirectory"];

export function readInput(tool: ToolCall): Input {
  const { kind, input } = tool;
  const members = input.length <= longest ? record(input) : undefined;
  if (members === undefined) return { rest: input, restSaid: false }; // it was cut, or is no object
  const said = saidBy(tool);
  const diff = tool.content.some(({ type }) => type === "diff");
  if (kind !== "execute" || typeof members["command"] !== "string") {
    return { rest: input, restSaid: diff && isSaid(members, said, true) };
  }
  const { command, ...others } = members;
  const name = folders.find((one) => typeof others[one] === "string" && others[one] !== "");
  const folder = name === undefined ? undefined : String(others[name]);
  if (name !== undefined) delete others[name];
  return {
    command,
    ...(folder === undefined ? {} : { folder }),
    rest: Object.keys(others).length === 0 ? "" : JSON.stringify(others, null, 2),
    restSaid: isSaid(others, { ...said, parts: [...said.parts, command] }, false),
  };
}

function record(input: string): (Record<string, unknown> & { command?: unknown }) | undefined {
  try {
    const value: unknown = JSON.parse(input);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

interface Said {
  /** What has any part of these has been said. */
  parts: string[];
  /** What is one of these has: the sides of a difference, of which not every line is shown. */
  whole: string[];
}

function saidBy({ title, locations, content, permission }: ToolCall): Said {
  const diffs = content.flatMap((part) => (part.type === "diff" ? [part] : []));
  const side = (lines: DiffLine[], left: DiffLine["kind"]): string =>
    lines.filter(({ kind }) => kind !== left && kind !== "gap").map(({ text }) => text).join("\n");
  return {
    parts: [
      title,
      permission?.reason ?? "",
      ...locations.map(({ path }) => path),
      ...content.flatMap((part) => (part.type === "text" ? [part.text] : [])),
      ...diffs.flatMap(({ path, lines }) => [path, side(lines, "added"), side(lines, "removed")]),
    ],
    whole: diffs.flatMap(({ oldText = "", newText }) => [oldText.trim(), newText.trim()]),
  };
}

/** A switch may make of a command what it does not look like; of a difference it makes nothing that is not in it. */
function isSaid(value: unknown, said: Said, switches: boolean, depth = 0): boolean {
  if (depth > deepest) return false;
  if (typeof value === "string") {
    const text = value.trim();
    return text === "" || said.whole.includes(text) || said.parts.some((part) => part.includes(text));
  }
  if (typeof value !== "object" || value === null) return switches || value === false || value === null;
  return Object.entries(value).every(([name, member]) => {
    if (!switches && typeof member === "number" && /timeout/i.test(name)) return true;
    return isSaid(member, said, switches, depth + 1);
  });
}
