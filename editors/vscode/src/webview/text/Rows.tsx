/**
 * Rows of equal height, of which only the visible ones are in the page.
 *
 * This shows megabytes of output and diffs with many thousand lines: nothing is
 * left out, and invisible rows cost nothing.
 */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

interface Props {
  count: number;
  label: string;
  class?: string;
  /** Most rows before a scroll bar appears. */
  most?: number;
  /** Whether the end stays visible while rows are added. */
  follow: boolean;
  /**
   * Renders the rows from `from` to before `to`, each as an element of class
   * `row`.
   */
  rows: (from: number, to: number) => ComponentChildren;
  /** All rows are in the page, so that Tab reaches what is in them. Their heights may differ. */
  whole?: boolean;
}

/** Must be the height of `.row` in rows.css. */
const height = 18;
const margin = 10; // rows beyond the edges
/** Browsers limit an element's height to some millions of pixels. */
const tallest = 8_000_000;

export function Rows({ count, label, class: extra = "", most = 16, follow, rows, whole = false }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const atEnd = useRef(follow);
  const [top, setTop] = useState(follow ? Math.max(0, count - most) : 0);
  const shown = Math.min(count, Math.floor(tallest / height));
  const skipped = count - shown; // only the end of such a long output can be scrolled
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
      {whole ? (
        <div class="rows-all">{rows(0, count)}</div>
      ) : (
        <div class="rows-all" style={{ height: `${shown * height}px` }}>
          <div class="rows-shown" style={{ transform: `translateY(${first * height}px)` }}>
            {rows(skipped + first, skipped + end)}
          </div>
        </div>
      )}
    </div>
  );
}
