/**
 * Prevents accidental keys and clicks from answering a request.
 *
 * A request may appear while the user types or points at something else. So it can be
 * answered only after it was on the screen for a while and, for keys, after a pause in
 * typing. Times are those of the input events, not of their handling: a click that
 * waited for a busy page has its original time.
 */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { consentPause } from "../../shared/consent.js";
import { topics } from "./store.js";
import { store, useTopic } from "./hooks.js";

/** When the last two text keys were pressed. */
let last = -Infinity;
let beforeLast = -Infinity;

/** Records typing; must see a key before its element does. */
export function noteKey(event: KeyboardEvent): void {
  if (!writes(event)) return;
  beforeLast = last;
  last = event.timeStamp;
}

/** Reports whether a key enters text. Chords, arrows and Tab don't. */
function writes({ key, ctrlKey, altKey, metaKey, isComposing }: KeyboardEvent): boolean {
  if (isComposing || key === "Process" || key === "Dead") return true;
  return !ctrlKey && !altKey && !metaKey && (key.length === 1 || key === "Enter" || key === "Backspace" || key === "Delete");
}

/** Reports whether there was a typing pause before the key that caused the event. */
export function afterPause(event: Event): boolean {
  return event.timeStamp - beforeLast >= consentPause;
}

export interface Appearance {
  /** Whether it can be answered. */
  settled: boolean;
  /** Whether it could be answered when the event happened. */
  precedes: (event: Event) => boolean;
}

/**
 * Tracks how long a request has been on the screen. When another request appears or
 * disappears, cards move below the pointer, so the time restarts.
 */
export function useAppearance(): Appearance {
  const settledAt = useRef(Infinity);
  const [settled, setSettled] = useState(false);
  useTopic(topics.asks);
  const asking = [...store.asking].join("\n");
  useLayoutEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    settledAt.current = Infinity;
    setSettled(false);
    // A hidden or busy page draws later than it renders.
    const frame = requestAnimationFrame(() => {
      settledAt.current = performance.now() + consentPause;
      timer = setTimeout(() => setSettled(true), consentPause);
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [asking]);
  return { settled, precedes: (event) => event.timeStamp >= settledAt.current };
}
