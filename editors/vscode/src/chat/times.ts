/**
 * When things happened that the agent plays back: Turnwire says so in `_meta`, to those
 * who ask for it.
 */

/** Asks for the times. */
export const timesMeta = "turnwire.dev/times";

/** In milliseconds since 1970: the first and the last of the updates that are played back as one. */
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
