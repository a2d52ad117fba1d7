/** A list to choose from, above or below its opener, which handles the keys. */
import { useEffect, useRef } from "preact/hooks";
import type { IconName } from "../frame/icons.js";
import { Icon, Label } from "../frame/components.js";
import { PathName } from "../chat/PathName.js";

export interface Entry {
  id: string;
  name: string;
  detail?: string | undefined;
  group?: string | undefined;
  icon?: IconName | undefined;
  chosen?: boolean;
  /** Whether its name is a path. */
  path?: boolean;
}

interface Props {
  id: string;
  label: string;
  entries: readonly Entry[];
  active: number;
  onPick: (entry: Entry) => void;
  onActive: (index: number) => void;
}

export function ListBox({ id, label, entries, active, onPick, onActive }: Props) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector(".entry.active")?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    <div class="list-box" role="listbox" id={id} aria-label={label} ref={list} tabIndex={-1}>
      {entries.map((entry, index) => [
        entry.group && entry.group !== entries[index - 1]?.group && (
          <div class="entry-group" role="presentation"><Label text={entry.group} /></div>
        ),
        <div
          key={entry.id}
          id={entryId(id, index)}
          class={`entry ${index === active ? "active" : ""}`}
          role="option"
          aria-selected={index === active}
          onMouseDown={(event) => event.preventDefault()}
          onMouseMove={() => index !== active && onActive(index)}
          onClick={() => onPick(entry)}
        >
          {entry.icon && <Icon name={entry.icon} />}
          {entry.chosen !== undefined && <span class="chosen">{entry.chosen && <Icon name="check" />}</span>}
          <span class="entry-name">{entry.path ? <PathName path={entry.name} /> : <Label text={entry.name} />}{entry.chosen && <span class="unseen"> (chosen)</span>}</span>
          {entry.detail && <span class="entry-detail"><Label text={entry.detail} /></span>}
        </div>,
      ])}
    </div>
  );
}

export function entryId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

/**
 * Returns the entry that a key moves to; undefined if the key doesn't navigate.
 */
export function moved(key: string, active: number, length: number): number | undefined {
  if (length === 0) return undefined;
  switch (key) {
    case "ArrowDown":
      return (active + 1) % length;
    case "ArrowUp":
      return (active - 1 + length) % length;
    case "Home":
      return 0;
    case "End":
      return length - 1;
    case "PageDown":
      return Math.min(length - 1, active + 8);
    case "PageUp":
      return Math.max(0, active - 8);
    default:
      return undefined;
  }
}
