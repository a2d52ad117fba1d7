/** The changes in a diff: runs of changed lines, as the host numbers them (changeParts.ts). */
import type { DiffLine } from "../../shared/model.js";

/** Returns the number of each line's change, or undefined for lines that don't change. */
export function changeNumbers(lines: readonly DiffLine[]): (number | undefined)[] {
  let number = -1;
  return lines.map(({ kind }, i) => {
    if (!isChange(kind)) return undefined;
    if (!isChange(lines[i - 1]?.kind)) number++;
    return number;
  });
}

const isChange = (kind: DiffLine["kind"] | undefined): boolean => kind === "added" || kind === "removed";
