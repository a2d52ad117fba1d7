/**
 * What an answer to a request for consent would be about, as text.
 */
import type { Permission, ToolCall } from "../shared/model.js";

/** All of it: what is shown of a call may be in any of these. */
export function wholeText(call: ToolCall, permission: Permission): string[] {
  const texts = call.content.map((c) => (c.type === "text" ? c.text : ""));
  const command = onlyText(call.input);
  const input = call.input === "" || (command !== undefined && call.title.includes(command)) ? "" : compact(call.input);
  return [call.title, input, ...texts, permission.reason ?? ""].filter((t) => t.trim() !== "");
}

/**
 * Where all of it can be seen beside the chat: as text, as one difference, or, with
 * several of these or a picture among it, nowhere.
 */
export function reviewedAs({ content }: ToolCall): "text" | "diff" | undefined {
  if (content.some((c) => c.type === "block")) return undefined;
  const diffs = content.filter((c) => c.type === "diff").length;
  return diffs === 0 ? "text" : diffs === 1 ? "diff" : undefined;
}

/** The one text in the arguments, if they hold nothing else: mostly, the command. */
function onlyText(input: string): string | undefined {
  const read = parsed(input);
  const values = typeof read === "object" && read !== null ? Object.values(read) : [];
  return values.length === 1 && typeof values[0] === "string" ? values[0] : undefined;
}

/** On one line where its lines mean nothing. */
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
