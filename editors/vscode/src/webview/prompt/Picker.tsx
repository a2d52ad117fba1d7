/** A button that opens a list and shows the chosen entry. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Icon } from "../frame/components.js";
import { entryId, ListBox, moved, type Entry } from "./ListBox.js";

interface Props {
  label: string;
  entries: readonly Entry[];
  onPick: (id: string) => void;
  disabled?: boolean;
  class?: string;
  children: ComponentChildren;
  arrow?: boolean;
}

export function Picker({ label, entries, onPick, disabled, class: extra = "", children, arrow = true }: Props) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const frame = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!open) return undefined;
    const outside = (event: Event) => {
      if (event.target instanceof Node && !frame.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener("pointerdown", outside);
    document.addEventListener("focusin", outside);
    return () => {
      document.removeEventListener("pointerdown", outside);
      document.removeEventListener("focusin", outside);
    };
  }, [open]);

  const show = () => {
    setActive(Math.max(0, entries.findIndex((entry) => entry.chosen)));
    setOpen(true);
  };

  const pick = (entry: Entry | undefined) => {
    setOpen(false);
    button.current?.focus();
    if (entry) onPick(entry.id);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (!open) {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      show();
    } else if (event.key === "Escape" || event.key === "Tab") {
      setOpen(false);
      if (event.key === "Tab") return;
    } else if (event.key === "Enter" || event.key === " ") {
      pick(entries[active]);
    } else {
      const next = moved(event.key, active, entries.length) ?? startingWith(entries, event.key, active);
      if (next === undefined) return;
      setActive(next);
    }
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div class={`picker ${extra}`} ref={frame} onKeyDown={onKeyDown}>
      <button
        type="button"
        class="picker-button"
        ref={button}
        role="combobox"
        aria-haspopup="listbox"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-activedescendant={open ? entryId(id, active) : undefined}
        aria-label={label}
        title={label}
        disabled={disabled}
        onClick={() => (open ? setOpen(false) : show())}
      >
        {children}
        {arrow && <Icon name="chevron" class="down" />}
      </button>
      {open && <ListBox id={id} label={label} entries={entries} active={active} onPick={pick} onActive={setActive} />}
    </div>
  );
}

/** Returns the next entry that begins with a letter. */
function startingWith(entries: readonly Entry[], key: string, active: number): number | undefined {
  if (key.length !== 1) return undefined;
  const order = entries.map((_, index) => (active + 1 + index) % entries.length);
  return order.find((index) => entries[index]?.name.toLowerCase().startsWith(key.toLowerCase()));
}
