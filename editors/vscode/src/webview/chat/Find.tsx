/** The bar that finds text in the chat. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { IconButton } from "../frame/components.js";
import { findItems, forgetFound, showFound } from "./found.js";

export function Find({ close }: { close: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState("");
  const [found, setFound] = useState<{ ids: readonly string[]; at: number }>({ ids: [], at: -1 });
  useLayoutEffect(() => field.current?.focus(), []);
  useEffect(() => forgetFound, []);

  const show = (ids: readonly string[], at: number, text: string) => {
    setFound({ ids, at });
    const id = ids[at];
    if (id === undefined) forgetFound();
    else showFound(id, text);
  };
  // The newest match comes first, because the end of the chat is in sight.
  const look = (text: string) => {
    setQuery(text);
    const ids = findItems(text);
    show(ids, ids.length - 1, text);
  };
  const step = (by: number) => {
    const ids = findItems(query); // the chat may have grown
    const at = ids.indexOf(found.ids[found.at] ?? "") + by;
    if (ids.length > 0) show(ids, (at + ids.length) % ids.length, query);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === "Escape") close();
    else if (event.key === "Enter" && event.target === field.current) step(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const { ids, at } = found;
  const status = query === "" ? "" : ids.length === 0 ? "Not found" : `${at + 1} of ${ids.length}`;
  return (
    <div class="find" role="search" aria-label="Find in chat" onKeyDown={onKeyDown}>
      <input ref={field} type="text" placeholder="Find in chat" aria-label="Find in chat" value={query} onInput={(event) => look(event.currentTarget.value)} />
      <span class="find-status" role="status">{status}</span>
      <IconButton icon="arrowUp" label="Previous (Shift+Enter)" disabled={ids.length === 0} onClick={() => step(-1)} />
      <IconButton icon="arrowDown" label="Next (Enter)" disabled={ids.length === 0} onClick={() => step(1)} />
      <IconButton icon="close" label="Close (Escape)" onClick={close} />
    </div>
  );
}
