/** The times of replayed updates, which Turnwire sends in `_meta` to clients that ask for them. */

/** The capability that asks for the times. */
export const timesMeta = "turnwire.dev/times";

/** In milliseconds since 1970. If several updates are replayed as one, those of the first and the last. */
export interface Times {
  at: number;
  until: number;
}

export function readTimes(meta: Record<string, unknown> | null | undefined): Times | undefined {
  const at = meta?.["turnwire.dev/at"];
  if (!isTime(at)) return undefined;
  const until = meta?.["turnwire.dev/until"];
  return { at, until: isTime(until) && until > at ? until : at };
}

const isTime = (value: unknown): value is number => typeof value === "number" && Number.isSafeInteger(value) && value > 0;
