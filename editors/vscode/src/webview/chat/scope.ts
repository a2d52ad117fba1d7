/**
 * What a lasting option covers, according to the agent.
 *
 * Usually the agent's name for the option says it. If the name only says that it
 * lasts, only the current call is certain: whether other calls count as the same,
 * only the agent knows.
 */
import type { PermissionChoice, ToolCall } from "../../shared/model.js";
import { plural } from "../frame/format.js";
import { visibleLine } from "../text/visible.js";
import { shortPath } from "./paths.js";
import { readInput } from "./shownInput.js";

/** A name that consists only of these words says that the option lasts, or how long, but not for what. */
const words = /\b(?:yes|always|allow|all|it|this|the|in|for|and|session|chat|conversation|project|workspace|forever|from|now|on|don'?t ask(?: me)? again)\b|[(),.;:]/gi;

export interface Scope {
  /** A command; otherwise prose. */
  code: boolean;
  text: string;
}

export function scopeOf({ kind, name }: PermissionChoice, tool: ToolCall): Scope | undefined {
  if (kind !== "allow_always" || name.replace(words, "").trim() !== "") return undefined;
  const { command } = readInput(tool);
  if (command !== undefined) return { code: true, text: visibleLine(command) };
  const paths = [...new Set(tool.content.flatMap((part) => (part.type === "diff" ? [part.path] : [])))];
  if (paths.length === 1) return { code: false, text: `this change to ${visibleLine(shortPath(paths[0] ?? ""))}` };
  if (paths.length > 1) return { code: false, text: `these changes to ${plural(paths.length, "file", "files")}` };
  return { code: false, text: `“${visibleLine(tool.title)}”` };
}
