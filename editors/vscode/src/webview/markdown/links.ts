/**
 * The allowed links in the agent's text.
 *
 * The view follows none. The host receives web addresses and asks the user, and
 * opens paths inside the workspace. Anything else (javascript:, data:,
 * command:, file:, //host, …) stays plain text.
 */

export type Target = { kind: "web"; href: string } | { kind: "file"; path: string; line?: number };

const scheme = /^[a-z][a-z0-9+.-]*:/i;
const web = /^(?:https?:\/\/[^/\\?#\s@]+(?:[/?#]|$)|mailto:[^\s:/\\]+@[^\s:/\\]+$)/i;
/** A workspace path: no drive, network root, control character or quote. */
const path = /^(?!\/\/)[^\\:*?"<>|\u0000-\u001f\u007f‹›]+$/;
const position = /(?::(\d{1,9})(?::\d{1,9})?(?:-\d{1,9})?|#L(\d{1,9})(?:-L?\d{1,9})?)$/;

export function linkTarget(href: string): Target | undefined {
  const trimmed = href.trim();
  if (trimmed === "" || trimmed.length > 4096 || trimmed.startsWith("#")) return undefined;
  if (web.test(trimmed)) return { kind: "web", href: trimmed };
  const place = position.exec(trimmed);
  let file = place ? trimmed.slice(0, place.index) : trimmed;
  try {
    file = decodeURIComponent(file);
  } catch {
    return undefined;
  }
  if (scheme.test(file) || !path.test(file)) return undefined;
  const line = place?.[1] ?? place?.[2];
  return line === undefined ? { kind: "file", path: file } : { kind: "file", path: file, line: Number(line) };
}

export { isPicture } from "../../shared/pictures.js";
