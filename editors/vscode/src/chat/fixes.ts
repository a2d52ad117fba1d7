/** What the user can do about an error. */
import type { Fix } from "../shared/model.js";

/** An error with a message for the user, and with remedies. */
export class FixableError extends Error {
  readonly fixes: readonly Fix[];

  constructor(message: string, ...fixes: Fix[]) {
    super(message);
    this.fixes = fixes;
  }
}

export const fixesOf = (error: unknown): readonly Fix[] => (error instanceof FixableError ? error.fixes : []);
