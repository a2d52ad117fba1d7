/** Hooks that subscribe to the store. There is one store, because a view has one chat. */
import { createContext } from "preact";
import { useContext, useLayoutEffect, useReducer } from "preact/hooks";
import type { Item, Session } from "../../shared/model.js";
import { changed, keyFor, memoryOf } from "../frame/memory.js";
import { Store, topics } from "./store.js";

export const store = new Store();

/** Renders again when the topic changes. */
export function useTopic(topic: string): void {
  const [, again] = useReducer((count: number, _: void) => count + 1, 0);
  useLayoutEffect(() => store.subscribe(topic, () => again()), [topic]);
}

export function useItem(id: string): Item | undefined {
  useTopic(id);
  return store.item(id);
}

export function useSession(): Session | undefined {
  useTopic(topics.session);
  return store.session;
}

/** The chat that is shown; constant below the component that provides it. */
export const ChatId = createContext("");

/** Whether the user has opened one of these. */
export function useAnyExpanded(keys: readonly string[]): boolean {
  const { expanded } = memoryOf(useContext(ChatId));
  return keys.some((key) => expanded[keyFor(key)] === true);
}

/** Whether something is open; the user's choice is remembered across reloads. */
export function useExpanded(key: string, byDefault: boolean): [boolean, () => void] {
  const chatId = useContext(ChatId);
  useTopic(topics.expanded(key));
  const open = memoryOf(chatId).expanded[keyFor(key)] ?? byDefault;
  return [open, () => setExpanded(chatId, key, !open)];
}

export function setExpanded(chatId: string, key: string, open: boolean): void {
  memoryOf(chatId).expanded[keyFor(key)] = open;
  changed(chatId);
  store.notify(topics.expanded(key));
}
