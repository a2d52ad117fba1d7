/**
 * The raw output of a tool, as a person reads it. Many tools answer with an object of
 * which one member is what was printed: as JSON it would be one line with `\\n` in it.
 */
const printed = ["output", "stdout", "text", "content", "result", "stderr", "error", "message"];

export function showOutput(value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return showJSON(value);
  const members = Object.entries(value).filter(([, member]) => member !== null && member !== "");
  const texts = members.filter(([name, member]) => printed.includes(name) && typeof member === "string");
  // The same text may be told under two names.
  const shown = [...new Set(texts.map(([, member]) => String(member).trimEnd()))];
  if (shown.length === 0) return showJSON(value);
  const rest = members.filter((member) => !texts.includes(member));
  return [...shown, ...(rest.length > 0 ? [showJSON(Object.fromEntries(rest))] : [])].join("\n\n");
}

/** A value as a person reads it; a text is its own best form. */
export function showJSON(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "object" && Object.keys(value).length === 0) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
