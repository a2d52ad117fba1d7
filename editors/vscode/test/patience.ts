/** How long tests wait for real processes: on a busy machine, everything is late. */
import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";

/** Milliseconds. */
export const patience = 120_000;

/**
 * Waits until `look` returns a value; on timeout, fails with the message from
 * `seen`.
 */
export async function eventually<T>(look: () => Promise<T | undefined> | T | undefined, seen: () => unknown): Promise<T> {
  for (const end = Date.now() + patience; ; await setTimeout(20)) {
    const found = await look();
    if (found !== undefined) return found;
    assert.ok(Date.now() < end, String(seen()));
  }
}
