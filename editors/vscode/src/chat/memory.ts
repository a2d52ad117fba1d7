/** Stores which chat a window has open. */
import { remembered, type Remembered } from "./remembered.js";
import { StateFile } from "./stateFile.js";

export class Memory {
  readonly #file: StateFile;

  constructor(file: string) {
    this.#file = new StateFile(file);
  }

  read(): Remembered | undefined {
    return remembered(this.#file.read());
  }

  write(chat: Remembered | undefined): void {
    this.#file.write(chat);
  }
}
