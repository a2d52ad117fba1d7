/** What a person can do about something that went wrong. */
import type { Cure } from "../shared/model.js";

/** An error in words for the person, with what helps. */
export class Curable extends Error {
  readonly cures: readonly Cure[];

  constructor(message: string, ...cures: Cure[]) {
    super(message);
    this.cures = cures;
  }
}

export const curesOf = (error: unknown): readonly Cure[] => (error instanceof Curable ? error.cures : []);
