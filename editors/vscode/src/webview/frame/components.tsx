/** The small shared components. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { visibleLine } from "../text/visible.js";
import { duration } from "./format.js";
import { drawing, type IconName } from "./icons.js";

export function Icon({ name, class: extra = "" }: { name: IconName; class?: string }) {
  return (
    <svg class={`icon ${extra}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={drawing(name)} />
    </svg>
  );
}

/** External text on one line, which can't reorder the text around it. */
export function Label({ text }: { text: string }) {
  return <bdi>{visibleLine(text)}</bdi>;
}

interface IconButtonProps {
  icon: IconName;
  label: string;
  onClick: () => void;
  expanded?: boolean;
  disabled?: boolean;
  class?: string;
}

export function IconButton({ icon, label, onClick, expanded, disabled, class: extra = "" }: IconButtonProps) {
  return (
    <button
      type="button"
      class={`icon-button ${extra}`}
      title={label}
      aria-label={label}
      aria-expanded={expanded}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

/** A line that opens and closes a section. */
export function Disclosure(props: { open: boolean; toggle: () => void; class?: string; children: ComponentChildren }) {
  return (
    <button type="button" class={`disclosure ${props.class ?? ""}`} aria-expanded={props.open} onClick={props.toggle}>
      <Icon name="chevron" class="chevron" />
      {props.children}
    </button>
  );
}

export function Spinner() {
  return <span class="spinner" aria-hidden="true" />;
}

/** A duration, or the time elapsed so far. */
export function Elapsed(props: { started: number; ended?: number | undefined; format?: (ms: number) => string }) {
  const running = props.ended === undefined;
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [running]);
  const taken = (props.ended ?? Math.max(now, Date.now())) - props.started;
  if (running && taken < 1000) return null;
  return <>{(props.format ?? duration)(running ? Math.floor(taken / 1000) * 1000 : taken)}</>;
}
