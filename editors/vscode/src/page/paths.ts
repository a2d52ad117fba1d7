/** Paths on the server's machine. The page only knows their text. */
import type { Paths } from "../chat/machine.js";

const isWindows = (path: string): boolean => /^([a-z]:[\\/]|\\\\)/i.test(path);

export const serverPaths: Paths = {
  base: (path) => path.split(isWindows(path) ? /[\\/]/ : "/").filter(Boolean).at(-1) ?? path,
  relativeTo(folders, path) {
    for (const folder of folders) {
      const sign = isWindows(folder) ? "\\" : "/";
      const within = folder.endsWith(sign) ? folder : folder + sign;
      if (path.startsWith(within) && !/(^|[\\/])\.\.([\\/]|$)/.test(path)) return path.slice(within.length);
    }
    return undefined;
  },
  // No files are sent from the page, because it can't read the server's disk.
  isInside: async () => false,
  ofURL(url) {
    const path = decodeURIComponent(url.pathname);
    return /^\/[a-z]:/i.test(path) ? path.slice(1).replaceAll("/", "\\") : path;
  },
  toURL: (path) => new URL(isWindows(path) ? `/${path.replaceAll("\\", "/")}` : path, "file://").href,
};
