/**
 * What a window remembers of its chat: which one it was. What was said in it is kept
 * by the agent alone.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

export interface Remembered {
  chatId: string;
  /** The protocol's session. */
  sessionId: string;
  agent: string;
  /** The folder that the agent worked in. */
  cwd?: string;
  /** A turn runs. */
  busy?: boolean;
}

/**
 * A file that remembers it. It is written at once: the editor's own storage is written
 * later, and a reload does not wait for that.
 */
export class Memory {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  read(): Remembered | undefined {
    try {
      return remembered(JSON.parse(readFileSync(this.#file, "utf8")));
    } catch {
      return undefined; // there is none, or none that can be read
    }
  }

  write(chat: Remembered | undefined): void {
    if (!chat) return rmSync(this.#file, { force: true });
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(`${this.#file}.new`, JSON.stringify(chat), { mode: 0o600 });
    renameSync(`${this.#file}.new`, this.#file);
  }
}

/** What was remembered, if it is that: it may be from another version. */
function remembered(value: unknown): Remembered | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { chatId, sessionId, agent, cwd, busy } = value as Partial<Record<keyof Remembered, unknown>>;
  if (typeof chatId !== "string" || typeof sessionId !== "string" || typeof agent !== "string") return undefined;
  return { chatId, sessionId, agent, ...(typeof cwd === "string" ? { cwd } : {}), ...(busy === true ? { busy } : {}) };
}
