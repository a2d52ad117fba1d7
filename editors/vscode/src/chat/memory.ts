/** What a window remembers of its chat. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

import { remembered, type Remembered } from "./remembered.js";

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
