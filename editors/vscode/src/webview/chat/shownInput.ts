/**
 * Determines whether the text around a tool call already shows all of its
 * arguments: the command, the diff, the reason. The user must see what they
 * consent to, but doesn't need to see it again as JSON.
 */
import type { DiffLine, ToolCall } from "../../shared/model.js";

export interface Input {
  command?: string;
  /** The command's working folder. */
  folder?: string;
  /** The other arguments as JSON; all of them if the call isn't a command. */
  rest: string;
  restSaid: boolean;
}

const longest = 100_000;
const deepest = 20;
const folders = ["cwd", "workdir", "working_directory", "workingDirectory"];

export function readInput(tool: ToolCall): Input {
  const { kind, input } = tool;
  const members = input.length <= longest ? record(input) : undefined;
  if (members === undefined) return { rest: input, restSaid: false }; // it was cut or isn't an object
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
  /** A value contained in one of these is shown. */
  parts: string[];
  /**
   * A value equal to one of these is shown: the sides of a diff, of which not
   * every line is visible.
   */
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

/** A switch may change a command's meaning, so it counts as unsaid there. It can't add anything to a diff. */
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
