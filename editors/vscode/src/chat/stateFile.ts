/** A small file of the extension that stores one value. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Written synchronously: the editor's own storage is written later, and a reload
 * doesn't wait for it.
 */
export class StateFile {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** Returns undefined if the file is missing or unreadable. */
  read(): unknown {
    try {
      return JSON.parse(readFileSync(this.#file, "utf8")) as unknown;
    } catch {
      return undefined;
    }
  }

  write(value: unknown): void {
    if (value === undefined) return rmSync(this.#file, { force: true });
    mkdirSync(dirname(this.#file), { recursive: true });
    const written = `${this.#file}.${process.pid}.new`; // another window's process may write at the same time
    writeFileSync(written, JSON.stringify(value), { mode: 0o600 });
    renameSync(written, this.#file);
  }
}
