/** Keeps the chunks that the selection or the focus is in, so that both survive scrolling. */
import { keysAt, nearness } from "./nearness.js";

/** Begins to watch the selection and the focus; `log` is the chat's element. */
export function watchSelection(log: HTMLElement): () => void {
  const onSelect = (): void => {
    const selection = getSelection();
    const within = selection && [selection.anchorNode, selection.focusNode].every((end) => keysAt(end).length > 0);
    needSelected("selection", log, within ? selection : null);
  };
  const onFocus = ({ type, target, relatedTarget }: FocusEvent): void => {
    const focused = type === "focusin" ? target : relatedTarget;
    nearness.need("focus", focused instanceof Node && log.contains(focused) ? keysAt(focused) : []);
  };
  // What is copied must include what was not drawn, also if everything is selected.
  const onCopy = (): void => {
    needSelected("copy", log, getSelection());
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

/** Draws the chunks that a selection touches. Those inside others only appear once these are drawn. */
function needSelected(who: string, log: HTMLElement, selection: Selection | null): void {
  const touched = (): Set<number> => {
    if (!selection || selection.isCollapsed) return new Set();
    return new Set([...log.querySelectorAll(".chunk")].filter((chunk) => selection.containsNode(chunk, true)).flatMap(keysAt));
  };
  let keys = touched();
  for (let before = -1; keys.size > before; keys = touched()) {
    before = keys.size;
    nearness.need(who, keys);
  }
}
