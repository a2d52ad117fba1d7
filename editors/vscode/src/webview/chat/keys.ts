import { store } from "./hooks.js";
import { nearness } from "./nearness.js";

/**
 * The keys, besides Tab and those of every text field. The user sees this list
 * too.
 */
export const keys: readonly (readonly [key: string, what: string])[] = [
  ["Enter", "Send; during a turn, queue"],
  ["↑", "In an empty prompt: earlier prompts"],
  ["Shift+Enter", "New line"],
  ["/", "Commands, at the start of a line"],
  ["@", "Mention a file or the selection"],
  ["Escape", "Close the open panel, or cancel the turn"],
  ["Ctrl+F", "Find in the chat"],
  ["Alt+Enter", "Go to the pending request"],
  ["1 … 9", "Choose an answer"],
  ["Alt+↑", "Go to the chat; ↑ ↓ Home End move, Enter expands and collapses"],
];

/** Moves between the chat's items, and opens the focused one. */
export function walk(event: KeyboardEvent): void {
  const log = event.currentTarget;
  const at = event.target;
  if (!(log instanceof HTMLElement) || !(at instanceof HTMLElement)) return;
  if (event.altKey || event.ctrlKey || event.metaKey || (at !== log && !at.matches("article"))) return;
  const items = [...log.querySelectorAll<HTMLElement>("article")];
  const index = items.indexOf(at);
  let next: HTMLElement | undefined;
  switch (event.key) {
    case "ArrowDown":
      next = items[index + 1];
      break;
    case "ArrowUp":
      next = index < 0 ? items.at(-1) : items[index - 1];
      break;
    case "Home":
      return focusFirst(event, log);
      break;
    case "End":
      next = items.at(-1);
      break;
    case "Enter":
      at.querySelector<HTMLElement>("[aria-expanded]")?.click();
      break;
    default:
      return;
  }
  event.preventDefault();
  focusItem(next);
}

/** Draws the first items, which may not be drawn yet. */
function focusFirst(event: Event, log: HTMLElement): void {
  event.preventDefault();
  const [first] = store.chunks.all;
  if (first) nearness.need("key", [first.key]);
  focusItem(log.querySelector<HTMLElement>("article") ?? undefined);
  nearness.need("key", []); // the focus keeps them
}

export function enterChat(): void {
  focusItem([...document.querySelectorAll<HTMLElement>(".log article")].at(-1));
}

/** Focuses the pending request: its group, so that no accidental key answers. */
export function goToQuestion(): boolean {
  const asks = document.querySelector<HTMLElement>("[data-asks]");
  focusItem(asks ?? undefined);
  return asks !== null;
}

/** Returns the prompt's text field. */
export function promptField(): HTMLTextAreaElement | null {
  return document.querySelector<HTMLTextAreaElement>(".prompt textarea");
}

/**
 * Returns the focus to the prompt after an answer. After a tap it doesn't: that would open
 * the on-screen keyboard.
 */
export function returnFocus(byKey = false): void {
  if (byKey || matchMedia("(pointer: fine)").matches) promptField()?.focus({ preventScroll: true });
}

function focusItem(item: HTMLElement | undefined): void {
  item?.focus({ preventScroll: true });
  item?.scrollIntoView({ block: "nearest" });
}
