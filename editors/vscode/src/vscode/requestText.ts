/** What a permission request is about, as text. */
import type { Permission, ToolCall } from "../shared/model.js";

/** Returns everything: any of these texts may describe the call. */
export function wholeText(call: ToolCall, permission: Permission): string[] {
  const texts = call.content.map((c) => (c.type === "text" ? c.text : ""));
  const command = onlyText(call.input);
  const input = call.input === "" || (command !== undefined && call.title.includes(command)) ? "" : compact(call.input);
  return [call.title, input, ...texts, permission.reason ?? ""].filter((t) => t.trim() !== "");
}

/**
 * Returns how all of it can be shown outside the chat: as text or as a single diff.
 * Several of these, or a picture, can't be.
 */
export function reviewedAs({ content }: ToolCall): "text" | "diff" | undefined {
  if (content.some((c) => c.type === "block")) return undefined;
  const diffs = content.filter((c) => c.type === "diff").length;
  return diffs === 0 ? "text" : diffs === 1 ? "diff" : undefined;
}

/**
 * Returns the only text in the arguments, usually the command; undefined if they
 * contain anything else.
 */
function onlyText(input: string): string | undefined {
  const read = parsed(input);
  const values = typeof read === "object" && read !== null ? Object.values(read) : [];
  return values.length === 1 && typeof values[0] === "string" ? values[0] : undefined;
}

/** Formats it on one line if its line breaks mean nothing. */
const compact = (input: string): string => {
  const read = parsed(input);
  return typeof read === "object" ? JSON.stringify(read) : input;
};

function parsed(input: string): unknown {
  try {
    return JSON.parse(input) as unknown;
  } catch {
    return undefined;
  }
}
