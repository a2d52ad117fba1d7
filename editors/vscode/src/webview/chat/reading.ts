/** Where somebody reads. */
import { useContext, useRef } from "preact/hooks";
import { memoryOf } from "../frame/memory.js";
import { ChatId, store } from "./hooks.js";

/**
 * Whether an item with items inside should be open by itself: if it should no longer, but somebody
 * reads in it, it stays open, so that the text under their eyes doesn't go away.
 */
export function useHeldOpen(id: string, open: boolean): boolean {
  const { place } = memoryOf(useContext(ChatId));
  const before = useRef(open);
  const held = useRef(false);
  if (open) held.current = false;
  else if (before.current) held.current = !place.atEnd && place.item !== undefined && place.item !== id && store.tree.path(place.item).includes(id);
  before.current = open;
  return open || held.current;
}
