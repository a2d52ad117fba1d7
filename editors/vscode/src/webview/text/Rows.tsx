/**
 * Rows of equal height, of which only those in sight are in the page.
 *
 * Megabytes of output and differences of many thousand lines are shown this way:
 * nothing is left out, and what is not looked at costs nothing.
 */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

interface Props {
  count: number;
  label: string;
  class?: string;
  /** Rows that are shown before there is a bar to scroll. */
  most?: number;
  /** Whether the end stays in sight while rows are added. */
  follow: boolean;
  /** The rows from `from` to before `to`, each an element of class `row`. */
  rows: (from: number, to: number) => ComponentChildren;
}

/** Must be the height of `.row` in rows.css. */
const height = 18;
const margin = 10; // rows beyond the edges
/** Browsers cannot make an element taller than some millions of pixels. */
const tallest = 8_000_000;

export function Rows({ count, label, class: extra = "", most = 16, follow, rows }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const atEnd = useRef(follow);
  const [top, setTop] = useState(follow ? Math.max(0, count - most) : 0);
  const shown = Math.min(count, Math.floor(tallest / height));
  const skipped = count - shown; // of an output so long, only the end can be scrolled through
  const first = Math.min(Math.max(0, top - margin), Math.max(0, shown - most - margin));
  const end = Math.min(shown, top + most + margin);

  useLayoutEffect(() => {
    const element = frame.current;
    if (element && atEnd.current && shown > most) {
      element.scrollTop = element.scrollHeight;
      setTop(Math.max(0, shown - most));
    }
  }, [shown]);

  const scrolled = () => {
    const element = frame.current;
    if (!element) return;
    atEnd.current = follow && element.scrollTop + element.clientHeight >= element.scrollHeight - height;
    setTop(Math.floor(element.scrollTop / height));
  };

  return (
    <div
      class={`rows ${extra}`}
      ref={frame}
      role="group"
      aria-label={label}
      tabIndex={0}
      dir="ltr"
      onScroll={scrolled}
      style={{ maxHeight: `${most * height + 12}px` }}
    >
      <div class="rows-all" style={{ height: `${shown * height}px` }}>
        <div class="rows-shown" style={{ transform: `translateY(${first * height}px)` }}>
          {rows(skipped + first, skipped + end)}
        </div>
      </div>
    </div>
  );
}
