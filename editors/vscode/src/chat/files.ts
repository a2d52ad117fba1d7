/**
 * The files that the agent may read and write through the editor: those in the
 * workspace, wherever links lead.
 */
import { readlink, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

import {
  RequestError,
  type ReadTextFileRequest,
  type ReadTextFileResponse,
  type WriteTextFileRequest,
} from "@agentclientprotocol/sdk";

import type { Editor } from "./editor.js";

export class Files {
  readonly #editor: Pick<Editor, "folders" | "readTextFile" | "writeTextFile">;

  constructor(editor: Pick<Editor, "folders" | "readTextFile" | "writeTextFile">) {
    this.#editor = editor;
  }

  async read({ path: given, line, limit }: ReadTextFileRequest): Promise<ReadTextFileResponse> {
    const path = await this.#confine(given);
    const content = await this.#editor.readTextFile(path).catch((error: unknown) => fail(path, error));
    return { content: part(content, line ?? 1, limit ?? undefined) };
  }

  async write({ path: given, content }: WriteTextFileRequest): Promise<void> {
    const path = await this.#confine(given);
    await this.#editor.writeTextFile(path, content).catch((error: unknown) => fail(path, error));
  }

  /**
   * Returns the path to use, without `..`. An editor removes `..` before it follows
   * links, and a disk afterwards, so the two could mean different files.
   */
  async #confine(given: string): Promise<string> {
    if (!isAbsolute(given)) throw RequestError.invalidParams({ details: `${given} is not an absolute path` });
    const path = resolve(given);
    if (!(await isInside(path, this.#editor.folders()))) {
      throw RequestError.invalidParams({ details: `${path} is outside the workspace folders` });
    }
    return path;
  }
}

/** Reports whether a path is in one of the folders after following all links. */
export async function isInside(path: string, folders: readonly string[]): Promise<boolean> {
  const real = await follow(path);
  for (const folder of folders) {
    const way = relative(await follow(folder), real);
    if (way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way))) return true;
  }
  return false;
}

/**
 * Returns a path relative to the folder that contains it, after the folder's name
 * if there are several; undefined if none contains it.
 */
export function relativeTo(folders: readonly string[], path: string): string | undefined {
  for (const folder of folders) {
    const way = relative(folder, path);
    if (way === "" || way.startsWith("..") || isAbsolute(way)) continue;
    return folders.length === 1 ? way : join(basename(folder), way);
  }
  return undefined;
}

/**
 * Returns the real path, even of a file that doesn't exist yet: a link may dangle.
 */
async function follow(path: string, links = 0): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    if (parent === path) return path;
    const target = links < mostLinks ? await readlink(path).catch(() => undefined) : undefined;
    const folder = await follow(parent, links);
    if (target === undefined) return join(folder, basename(path));
    // Don't normalize: a `..` applies after the links before it.
    return follow(isAbsolute(target) ? target : `${folder}${sep}${target}`, links + 1);
  }
}

/** No operating system follows more. */
const mostLinks = 64;

/** Returns lines of a text, with their line endings; the first line is 1. */
function part(text: string, line: number, limit: number | undefined): string {
  if (line <= 1 && limit === undefined) return text;
  const lines = text.split(/(?<=\n)/);
  const start = Math.max(line, 1) - 1;
  return lines.slice(start, limit === undefined ? undefined : start + Math.max(limit, 0)).join("");
}

function fail(path: string, error: unknown): never {
  const details = `${path}: ${error instanceof Error ? error.message : String(error)}`;
  const missing = typeof error === "object" && error !== null && "code" in error && (error.code === "ENOENT" || error.code === "FileNotFound");
  throw missing ? new RequestError(-32002, "Resource not found", { uri: path, details }) : RequestError.internalError({ details });
}
