/** The items of the chat or of a sub-agent, of which only those near the visible part are drawn. */
import { memo } from "preact/compat";
import { useContext, useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";
import { plural } from "../frame/format.js";
import { memoryOf } from "../frame/memory.js";
import type { Chunk } from "./chunks.js";
import { ChatId, store, useTopic } from "./hooks.js";
import { nearness } from "./nearness.js";
import { Entries, entriesOf } from "./Run.js";
import { topics } from "./store.js";

/** The estimated height of an item that was never drawn, in pixels. */
const itemHeight = 56;

/** Without a `parent`, these are the top-level items. */
export function ChunkList({ parent }: { parent?: string }) {
  useTopic(parent ?? topics.items);
  const list = store.tree.list(parent);
  const { place } = memoryOf(useContext(ChatId));
  const last = list.all.at(-1);
  // Drawn before it is known what is visible: the place to return to, or else the end of
  // the chat, which stays drawn, or both ends of a sub-agent.
  const [from] = useState(() => {
    const path = place.atEnd || place.item === undefined ? [] : store.tree.path(place.item);
    return path.map((id) => list.of(id)).find((chunk) => chunk !== undefined) ?? (parent === undefined ? last : list.all[0]);
  });
  return <>{list.all.map((chunk) => <ChunkView key={chunk.key} chunk={chunk} begins={chunk === from || chunk === last} stays={parent === undefined && chunk === last} />)}</>;
}

const ChunkView = memo(function ChunkView({ chunk, begins, stays }: { chunk: Chunk; begins: boolean; stays: boolean }) {
  useTopic(topics.chunk(chunk.key));
  const element = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(begins);
  const [, again] = useReducer((count: number, _: void) => count + 1, 0);
  useLayoutEffect(() => nearness.onNeed(() => again()), []);
  useLayoutEffect(() => {
    if (!element.current) return undefined;
    return nearness.watch(element.current, (now, height) => {
      if (!now && height > 0) chunk.itemHeight = height / chunk.ids.length;
      setNear(now);
    });
  }, []);
  const drawn = near || stays || nearness.needed(chunk.key) || chunk.ids.some((id) => store.asks(id));
  if (drawn) return <div class="chunk" data-chunk={chunk.key} ref={element} style={{ height: "" }}><Entries all={entriesOf(chunk.ids)} /></div>;
  const label = `${plural(chunk.ids.length, "item", "items")}, shown when you scroll here`;
  return <div class="chunk" data-chunk={chunk.key} ref={element} role="note" aria-label={label} style={{ height: `${chunk.ids.length * (chunk.itemHeight ?? itemHeight)}px` }} />;
});
