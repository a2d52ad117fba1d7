/**
 * Keeps what is typed or clicked by accident from answering a request.
 *
 * A request appears while a person types or points at something else. So it can be
 * answered only after it was on the screen for a while and, by a key, after a pause in
 * typing. The times are those of the input and not of its handling: a click that
 * waited for a busy page is as old as it is.
 */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { consentPause } from "../../shared/consent.js";
import { topics } from "./store.js";
import { store, useTopic } from "./use.js";

/** When the last two keys that write something were pressed. */
let last = -Infinity;
let beforeLast = -Infinity;

/** Remembers when a person types; it must see a key before its element does. */
export function noteKey(event: KeyboardEvent): void {
  if (!writes(event)) return;
  beforeLast = last;
  last = event.timeStamp;
}

/** Chords, arrows and Tab move; they are no text that somebody is in the middle of. */
function writes({ key, ctrlKey, altKey, metaKey, isComposing }: KeyboardEvent): boolean {
  if (isComposing || key === "Process" || key === "Dead") return true;
  return !ctrlKey && !altKey && !metaKey && (key.length === 1 || key === "Enter" || key === "Backspace" || key === "Delete");
}

/** Whether nothing was typed for a while before the key that caused the event. */
export function afterPause(event: Event): boolean {
  return event.timeStamp - beforeLast >= consentPause;
}

export interface Appearance {
  /** It can be answered. */
  settled: boolean;
  /** Whether it could be answered when the event happened. */
  precedes: (event: Event) => boolean;
}

/**
 * Follows how long a request is on the screen. When another request comes or goes, cards
 * move below the pointer, so the time starts again.
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
    // A page that is hidden or busy draws later than it renders.
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
