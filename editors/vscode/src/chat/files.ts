/**
 * The files that the agent may read and write through the editor: those of the
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

  async read({ path, line, limit }: ReadTextFileRequest): Promise<ReadTextFileResponse> {
    await this.#confine(path);
    const content = await this.#editor.readTextFile(path).catch((error: unknown) => fail(path, error));
    return { content: part(content, line ?? 1, limit ?? undefined) };
  }

  async write({ path, content }: WriteTextFileRequest): Promise<void> {
    await this.#confine(path);
    await this.#editor.writeTextFile(path, content).catch((error: unknown) => fail(path, error));
  }

  async #confine(path: string): Promise<void> {
    if (!isAbsolute(path)) throw RequestError.invalidParams({ details: `${path} is no absolute path` });
    if (!(await isInside(path, this.#editor.folders()))) {
      throw RequestError.invalidParams({ details: `${path} is outside of the workspace's folders` });
    }
  }
}

/** Whether a path is in one of the folders when all links are followed. */
export async function isInside(path: string, folders: readonly string[]): Promise<boolean> {
  const real = await follow(path);
  for (const folder of folders) {
    const way = relative(await follow(folder), real);
    if (way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way))) return true;
  }
  return false;
}

/** A path as it is said within the folder that holds it, by its name alone. */
export function relativeTo(folders: readonly string[], path: string): string | undefined {
  for (const folder of folders) {
    const way = relative(folder, path);
    if (way === "" || way.startsWith("..") || isAbsolute(way)) continue;
    return folders.length === 1 ? way : join(basename(folder), way);
  }
  return undefined;
}

/** The real path, also of what is yet to be made: a link may lead to nothing. */
async function follow(path: string, links = 0): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const target = links < mostLinks ? await readlink(path).catch(() => undefined) : undefined;
    if (target !== undefined) return follow(resolve(dirname(path), target), links + 1);
    const parent = dirname(path);
    return parent === path ? path : join(await follow(parent, links), basename(path));
  }
}

const mostLinks = 40;

/** Lines of a text, with their ends; the first one is 1. */
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
