/** What the user can do about an error. */
import type { Cure } from "../shared/model.js";

/** An error with a message for the user, and with remedies. */
export class Curable extends Error {
  readonly cures: readonly Cure[];

  constructor(message: string, ...cures: Cure[]) {
    super(message);
    this.cures = cures;
  }
}

export const curesOf = (error: unknown): readonly Cure[] => (error instanceof Curable ? error.cures : []);
