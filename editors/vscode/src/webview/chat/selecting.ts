/** Keeps the chunks that the selection or the focus is in, so that both survive scrolling. */
import { store } from "./hooks.js";
import { keyAt, nearness } from "./nearness.js";

/** Begins to watch the selection and the focus; `log` is the chat's element. */
export function watchSelection(log: HTMLElement): () => void {
  const onSelect = (): void => {
    const selection = getSelection();
    const ends = selection && !selection.isCollapsed ? [keyAt(selection.anchorNode), keyAt(selection.focusNode)] : [];
    const [a, b] = ends;
    nearness.need("selection", a === undefined || b === undefined ? [] : between(Math.min(a, b), Math.max(a, b)));
  };
  const onFocus = ({ type, target, relatedTarget }: FocusEvent): void => {
    const focused = type === "focusin" ? target : relatedTarget;
    const key = focused instanceof Node && log.contains(focused) ? keyAt(focused) : undefined;
    nearness.need("focus", key === undefined ? [] : [key]);
  };
  // What is copied must include what was not drawn, also if everything is selected.
  const onCopy = (): void => {
    const selection = getSelection();
    if (!selection || selection.isCollapsed) return;
    const keys = [...log.querySelectorAll(".chunk")].filter((chunk) => selection.containsNode(chunk, true)).map((chunk) => keyAt(chunk));
    nearness.need("copy", keys.filter((key) => key !== undefined));
    setTimeout(() => nearness.need("copy", []));
  };
  document.addEventListener("selectionchange", onSelect);
  document.addEventListener("copy", onCopy);
  log.addEventListener("focusin", onFocus);
  log.addEventListener("focusout", onFocus);
  return () => {
    document.removeEventListener("selectionchange", onSelect);
    document.removeEventListener("copy", onCopy);
    log.removeEventListener("focusin", onFocus);
    log.removeEventListener("focusout", onFocus);
  };
}

function between(first: number, last: number): number[] {
  return store.chunks.all.map(({ key }) => key).filter((key) => key >= first && key <= last);
}
