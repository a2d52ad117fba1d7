/** Paths for display: relative to the workspace folder. */
import { store } from "./hooks.js";

export function shortPath(path: string): string {
  for (const folder of store.session?.folders ?? []) {
    const end = folder.length;
    if (path.startsWith(folder) && /^[\\/]/.test(path.slice(end)) && path.length > end + 1) return path.slice(end + 1);
  }
  return path;
}

/** Removes the workspace folders from the paths in a text. */
export function withoutFolders(text: string): string {
  let short = text;
  for (const folder of store.session?.folders ?? []) {
    for (const slash of ["/", "\\"]) short = short.split(`${folder}${slash}`).join("");
  }
  return short;
}

/**
 * Returns the position of a path in a text: the longest of the paths that
 * occurs, absolute or relative to the workspace folder.
 */
export function pathIn(text: string, paths: readonly string[]): { from: number; to: number } | undefined {
  const wanted = [...new Set(paths.slice(0, 20).flatMap((path) => [path, shortPath(path)]))].filter((path) => path !== "");
  for (const path of wanted.sort((a, b) => b.length - a.length)) {
    const from = text.indexOf(path);
    const to = from + path.length;
    if (from >= 0 && !/[\w./\\-]/.test(text[from - 1] ?? "") && !/[\w/\\-]/.test(text[to] ?? "")) return { from, to };
  }
  return undefined;
}
