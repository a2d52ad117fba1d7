/**
 * The keys, beside Tab and those of every text field. They are shown to the
 * person in this form too.
 */
export const keys: readonly (readonly [key: string, what: string])[] = [
  ["Enter", "Send; during a turn, queue"],
  ["Shift+Enter", "New line"],
  ["/", "Commands, at the start of a line"],
  ["@", "Mention a file or the selection"],
  ["Escape", "Close what is open, or cancel the turn"],
  ["Alt+Enter", "Go to what waits for an answer"],
  ["1 … 9", "Choose an answer there"],
  ["Alt+↑", "Into the chat; ↑ ↓ Home End walk in it, Enter opens and closes"],
];

/** Moves between the items of the chat, and opens the one that has the keyboard. */
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
      next = items[0];
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

export function enterChat(): void {
  focusItem([...document.querySelectorAll<HTMLElement>(".log article")].at(-1));
}

/** Goes to what waits for an answer: to its group, so that no key pressed by mistake answers. */
export function goToQuestion(): boolean {
  const asks = document.querySelector<HTMLElement>("[data-asks]");
  focusItem(asks ?? undefined);
  return asks !== null;
}

/** Where the person writes. */
export function promptField(): HTMLTextAreaElement | null {
  return document.querySelector<HTMLTextAreaElement>(".prompt textarea");
}

function focusItem(item: HTMLElement | undefined): void {
  item?.focus({ preventScroll: true });
  item?.scrollIntoView({ block: "nearest" });
}
