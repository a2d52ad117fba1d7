/** The chat's items, of which only those near the visible part are drawn. */
import { memo } from "preact/compat";
import { useContext, useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";
import { plural } from "../frame/format.js";
import { memoryOf } from "../frame/memory.js";
import type { Chunk } from "./chunks.js";
import { ChatId, store, useTopic } from "./hooks.js";
import { nearness } from "./nearness.js";
import { Entries, entriesOf } from "./Run.js";
import { topics } from "./store.js";
import { Welcome } from "./Welcome.js";

/** The estimated height of an item that was never drawn, in pixels. */
const itemHeight = 56;

export function ChunkList() {
  useTopic(topics.items);
  const { chunks } = store;
  const { place } = memoryOf(useContext(ChatId));
  // Drawn before it is known what is visible: the place to return to, or the end.
  const [from] = useState(() => (place.atEnd ? undefined : chunks.of(place.item ?? "")?.key) ?? chunks.all.at(-1)?.key ?? 0);
  const { all } = chunks;
  if (all.length === 0) return <Welcome />;
  return <>{all.map((chunk) => <ChunkView key={chunk.key} chunk={chunk} begins={chunk.key === from} last={chunk === all.at(-1)} />)}</>;
}

const ChunkView = memo(function ChunkView({ chunk, begins, last }: { chunk: Chunk; begins: boolean; last: boolean }) {
  useTopic(topics.chunk(chunk.key));
  const element = useRef<HTMLDivElement>(null);
  const height = useRef(0);
  const [near, setNear] = useState(begins || last);
  const [, again] = useReducer((count: number, _: void) => count + 1, 0);
  useLayoutEffect(() => nearness.onNeed(() => again()), []);
  useLayoutEffect(() => {
    if (!element.current) return undefined;
    return nearness.watch(element.current, (now, measured) => {
      if (!now) height.current = measured;
      setNear(now);
    });
  }, []);
  const drawn = near || last || nearness.needed(chunk.key) || chunk.ids.some((id) => store.asks(id));
  if (drawn) return <div class="chunk" data-chunk={chunk.key} ref={element} style={{ height: "" }}><Entries all={entriesOf(chunk.ids)} /></div>;
  const label = `${plural(chunk.ids.length, "item", "items")}, shown when you scroll here`;
  return <div class="chunk" data-chunk={chunk.key} ref={element} role="note" aria-label={label} style={{ height: `${height.current || chunk.ids.length * itemHeight}px` }} />;
});
