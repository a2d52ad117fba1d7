/**
 * The chat from top to bottom.
 *
 * It stays scrolled to the end while content arrives, unless the user scrolled
 * away. It restores its position when the view is created again.
 */
import { useContext, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { changed, memoryOf } from "../frame/memory.js";
import { Icon } from "../frame/components.js";
import { act } from "./actions.js";
import { returnFocus, walk } from "./keys.js";
import { ChunkList } from "./ChunkList.js";
import { nearness } from "./nearness.js";
import { watchSelection } from "./selecting.js";
import { topics } from "./store.js";
import { ChatId, store, useSession, useTopic } from "./hooks.js";
import { Welcome } from "./Welcome.js";

/** Pixels from the end that still count as the end. */
const slack = 24;
/** Milliseconds that a restored position is held, unless the user scrolls. */
const settling = 1000;

export function Log() {
  useTopic(topics.items);
  const session = useSession();
  const chatId = useContext(ChatId);
  const log = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const { place } = memoryOf(chatId);
  const [away, setAway] = useState(!place.atEnd);

  const returning = useRef(!place.atEnd);
  const top = useRef(0);

  useLayoutEffect(() => {
    // The height changes by itself: while text streams in, and when hidden
    // content gets its real height.
    const hold = () => {
      if (log.current && place.atEnd) log.current.scrollTop = log.current.scrollHeight;
      else if (log.current && returning.current) restore(log.current, place.item, place.offset);
    };
    const watcher = new ResizeObserver(hold);
    if (list.current) watcher.observe(list.current);
    if (log.current) watcher.observe(log.current);
    return () => watcher.disconnect();
  }, []);

  useLayoutEffect(() => {
    if (!log.current) return undefined;
    const ends = [nearness.start(log.current), watchSelection(log.current)];
    return () => ends.forEach((end) => end());
  }, []);

  // Each whole chat returns to its place.
  const { chats } = store;
  useEffect(() => {
    const timer = setTimeout(() => (returning.current = false), settling);
    return () => clearTimeout(timer);
  }, [chats]);

  const scrolled = () => {
    const element = log.current;
    if (!element) return;
    // Content may have grown since this event's cause, which then isn't a step away from the end.
    const up = element.scrollTop < top.current - 1;
    top.current = element.scrollTop;
    if (returning.current) return;
    const near = element.scrollHeight - element.scrollTop - element.clientHeight <= slack;
    place.atEnd = near || (place.atEnd && !up);
    setAway(!place.atEnd);
    if (!place.atEnd) remember(element, place);
    changed(chatId);
  };

  const toEnd = () => {
    place.atEnd = true;
    returning.current = false;
    setAway(false);
    log.current?.scrollTo({ top: log.current.scrollHeight });
  };

  // Always scroll to the user's own new message.
  const lastUser = lastUserId();
  const shownUser = useRef(lastUser);
  useEffect(() => {
    if (lastUser !== shownUser.current) toEnd();
    shownUser.current = lastUser;
  }, [lastUser]);

  const busy = session?.status === "running" || session?.status === "cancelling";
  return (
    <div class="log-frame">
      <div
        class="log"
        role="log"
        aria-label="Chat"
        aria-live="off"
        aria-busy={busy}
        tabIndex={0}
        ref={log}
        onScroll={scrolled}
        onWheel={() => (returning.current = false)}
        onPointerDown={() => (returning.current = false)}
        onClick={act}
        onKeyDown={(event) => {
          returning.current = false;
          if (event.key === "Enter") act(event);
          if (!event.defaultPrevented) walk(event);
        }}
      >
        <div class="list" ref={list}>
          {store.tree.list().all.length === 0 ? <Welcome /> : <ChunkList key={store.chats} />}
          {busy && <Working />}
        </div>
      </div>
      {away && (
        <button
          type="button"
          class="to-end"
          onClick={({ detail }) => {
            toEnd();
            returnFocus(detail === 0);
          }}
        >
          <Icon name="arrowDown" />
          Latest
        </button>
      )}
    </div>
  );
}

function Working() {
  return (
    <div class="working" aria-hidden="true">
      <span class="dot" />
      <span class="dot" />
      <span class="dot" />
    </div>
  );
}

function lastUserId(): string | undefined {
  return store.tree.list().findLast((id) => store.item(id)?.type === "user");
}

/** Remembers the item at the upper edge; not one with items inside, whose heights may be estimates. */
function remember(log: HTMLElement, place: { item?: string; offset?: number }): void {
  const edge = log.getBoundingClientRect().top;
  for (const item of log.querySelectorAll<HTMLElement>(".chunk > .item")) {
    const box = item.getBoundingClientRect();
    if (box.bottom <= edge) continue;
    place.item = item.dataset["id"] ?? "";
    place.offset = Math.round(edge - box.top);
    if (box.top >= edge || !item.querySelector(".chunk")) return;
  }
}

function restore(log: HTMLElement, id: string | undefined, offset = 0): void {
  const item = [...log.querySelectorAll<HTMLElement>(".chunk > .item")].find((element) => element.dataset["id"] === id);
  if (!item) return; // not drawn yet
  log.scrollTop += item.getBoundingClientRect().top - log.getBoundingClientRect().top + offset;
}
