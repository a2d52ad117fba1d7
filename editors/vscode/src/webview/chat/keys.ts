import { keysAt, nearness } from "./nearness.js";

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
  switch (event.key) {
    case "ArrowDown":
      focusAmong(log, (items) => items[items.indexOf(at) + 1]);
      break;
    case "ArrowUp":
      focusAmong(log, (items) => (items.includes(at) ? items[items.indexOf(at) - 1] : items.at(-1)));
      break;
    case "Home":
      focusAmong(log, (items) => items[0]);
      break;
    case "End":
      focusAmong(log, (items) => items.at(-1));
      break;
    case "Enter":
      at.querySelector<HTMLElement>("[aria-expanded]")?.click();
      break;
    default:
      return;
  }
  event.preventDefault();
}

/** Focuses an item. If it is in a chunk that is not drawn, `choose` gets that chunk instead, and is called again when it is drawn. */
function focusAmong(log: HTMLElement, choose: (items: HTMLElement[]) => HTMLElement | undefined): void {
  const chosen = () => choose([...log.querySelectorAll<HTMLElement>("article, .chunk[role=note]")]);
  let next = chosen();
  for (; next?.matches(".chunk"); next = chosen()) nearness.need("key", keysAt(next));
  focusItem(next);
  nearness.need("key", []); // the focus keeps them
}

export function enterChat(): void {
  const log = document.querySelector<HTMLElement>(".log");
  if (log) focusAmong(log, (items) => items.at(-1));
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
  // Of a sub-agent, its title must come into sight and not just any of its calls.
  (item?.matches(".holds-items") ? item.querySelector(".card-head") : item)?.scrollIntoView({ block: "nearest" });
}
