/** Paths as a person knows them: from the workspace's folder on. */
import { store } from "./use.js";

export function shortPath(path: string): string {
  for (const folder of store.session?.folders ?? []) {
    const end = folder.length;
    if (path.startsWith(folder) && /^[\\/]/.test(path.slice(end))) return path.slice(end + 1);
  }
  return path;
}
