/**
 * Formats a tool's raw output for display. Many tools return an object in which one
 * member is the printed text: as JSON it would be a single line with `\\n` in it.
 */
const printed = ["output", "stdout", "text", "content", "result", "stderr", "error", "message"];

export function showOutput(value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return showJSON(value);
  const members = Object.entries(value).filter(([, member]) => member !== null && member !== "");
  const texts = members.filter(([name, member]) => printed.includes(name) && typeof member === "string");
  // The same text may appear in two members.
  const shown = [...new Set(texts.map(([, member]) => String(member).trimEnd()))];
  if (shown.length === 0) return showJSON(value);
  const rest = members.filter((member) => !texts.includes(member));
  return [...shown, ...(rest.length > 0 ? [showJSON(Object.fromEntries(rest))] : [])].join("\n\n");
}

/** Formats a value for display; text stays unchanged. */
export function showJSON(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "object" && Object.keys(value).length === 0) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
