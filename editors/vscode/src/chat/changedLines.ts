/**
 * Finds the lines in which two texts differ.
 *
 * The result is deterministic: the work is limited by counting steps, not by time. Up
 * to 2,000 changed lines, the diff is the shortest one (Myers' algorithm). Texts with
 * more changes are split at the lines that occur once in both, as in the "patience"
 * algorithm, and each part is compared separately.
 */

/** Marks, by index, the lines without a counterpart in the other text. */
export interface ChangedLines {
  before: boolean[];
  after: boolean[];
}

const mostEdits = 2_000;
/** Most line comparisons for one diff: a fraction of a second. */
const mostSteps = 30_000_000;
/** The cost of a table lookup, in line comparisons. */
const lookUp = 10;

/** Old lines `a` to before `b`, and new lines `c` to before `d`. */
type Range = [a: number, b: number, c: number, d: number];

export function changedLines(before: readonly string[], after: readonly string[]): ChangedLines {
  const ids = new Map<string, number>();
  const numbered = (lines: readonly string[]): Int32Array =>
    Int32Array.from(lines, (line) => {
      const id = ids.get(line) ?? ids.size;
      ids.set(line, id);
      return id;
    });
  return new Comparison(numbered(before), numbered(after)).run();
}

class Comparison {
  readonly #before: Int32Array;
  readonly #after: Int32Array;
  readonly #changed: ChangedLines;
  #steps = mostSteps;

  constructor(before: Int32Array, after: Int32Array) {
    this.#before = before;
    this.#after = after;
    this.#changed = { before: Array<boolean>(before.length).fill(false), after: Array<boolean>(after.length).fill(false) };
  }

  run(): ChangedLines {
    const ranges: Range[] = [[0, this.#before.length, 0, this.#after.length]];
    for (let range = ranges.pop(); range; range = ranges.pop()) {
      const inner = this.#trimmed(range);
      if (!this.#shortest(inner)) ranges.push(...this.#split(inner));
    }
    return this.#changed;
  }

  /** Returns the range without its common first and last lines. */
  #trimmed([a, b, c, d]: Range): Range {
    while (a < b && c < d && this.#before[a] === this.#after[c]) [a, c] = [a + 1, c + 1];
    while (a < b && c < d && this.#before[b - 1] === this.#after[d - 1]) [b, d] = [b - 1, d - 1];
    return [a, b, c, d];
  }

  #replace([a, b, c, d]: Range): void {
    this.#changed.before.fill(true, a, b);
    this.#changed.after.fill(true, c, d);
  }

  /** Records a range's shortest diff; returns false if that is too much work. */
  #shortest(range: Range): boolean {
    const [a, b, c, d] = range;
    const [n, m] = [b - a, d - c];
    if (n === 0 || m === 0) {
      this.#replace(range);
      return true;
    }
    const most = Math.min(mostEdits, n + m);
    // How far each diagonal reaches; `most` is the middle one. Keep a copy for each
    // number of edits.
    const reach = new Int32Array(2 * most + 3);
    const kept: Int32Array[] = [];
    for (let edits = 0; edits <= most; edits++) {
      kept.push(reach.slice(most - edits, most + edits + 3));
      for (let k = -edits; k <= edits; k += 2) {
        const at = most + 1 + k;
        let x = k === -edits || (k !== edits && reach[at - 1]! < reach[at + 1]!) ? reach[at + 1]! : reach[at - 1]! + 1;
        const from = x;
        while (x < n && x - k < m && this.#before[a + x] === this.#after[c + x - k]) x++;
        reach[at] = x;
        this.#steps -= 1 + x - from;
        if (x >= n && x - k >= m) {
          this.#trace(range, kept);
          return true;
        }
      }
      if (this.#steps < 0) return false;
    }
    return false;
  }

  /** Walks back from the end of a range through the copies, one edit at a time. */
  #trace([a, b, c, d]: Range, kept: readonly Int32Array[]): void {
    let [x, y] = [b - a, d - c];
    for (let edits = kept.length - 1; edits > 0; edits--) {
      const reach = kept[edits]!;
      const k = x - y;
      const at = edits + 1 + k;
      const down = k === -edits || (k !== edits && reach[at - 1]! < reach[at + 1]!);
      const fromX = down ? reach[at + 1]! : reach[at - 1]!;
      const fromY = fromX - (down ? k + 1 : k - 1);
      if (down) this.#changed.after[c + fromY] = true;
      else this.#changed.before[a + fromX] = true;
      [x, y] = [fromX, fromY];
    }
  }

  /**
   * Splits a range at the lines that occur once in both texts. Without any, marks all
   * of it as changed.
   */
  #split(range: Range): Range[] {
    const [a, b, c, d] = range;
    this.#steps -= lookUp * (b - a + d - c);
    const anchors = this.#steps < 0 ? [] : this.#anchors(range);
    if (anchors.length === 0) {
      this.#replace(range);
      return [];
    }
    const ranges: Range[] = [];
    let [x, y] = [a, c];
    for (const [i, j] of [...anchors, [b, d] as const]) {
      ranges.push([x, i, y, j]);
      [x, y] = [i + 1, j + 1];
    }
    return ranges;
  }

  /**
   * Returns pairs of equal lines that occur once in both parts: the longest list in
   * the same order.
   */
  #anchors([a, b, c, d]: Range): [number, number][] {
    const old = once(this.#before, a, b);
    const now = once(this.#after, c, d);
    const pairs: [number, number][] = [];
    for (let i = a; i < b; i++) {
      const id = this.#before[i]!;
      const j = now.get(id) ?? -1;
      if (old.get(id) === i && j >= 0) pairs.push([i, j]);
    }
    return inOrder(pairs);
  }
}

/** Returns the position of each line; -1 if it occurs more than once. */
function once(lines: Int32Array, from: number, to: number): Map<number, number> {
  const found = new Map<number, number>();
  for (let i = from; i < to; i++) found.set(lines[i]!, found.has(lines[i]!) ? -1 : i);
  return found;
}

/**
 * Returns the longest subsequence of pairs in which the second number also increases.
 */
function inOrder(pairs: readonly [number, number][]): [number, number][] {
  const ends: number[] = []; // the last pair of the best subsequence of each length
  const previous: number[] = [];
  pairs.forEach(([, j], index) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[ends[middle]!]![1] < j) low = middle + 1;
      else high = middle;
    }
    previous.push(low === 0 ? -1 : ends[low - 1]!);
    ends[low] = index;
  });
  const out: [number, number][] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at]!) out.push(pairs[at]!);
  return out.reverse();
}
