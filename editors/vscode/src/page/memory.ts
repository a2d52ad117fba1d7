/**
 * What this browser remembers: its chat and the view's state. A tab's own state
 * takes precedence over other tabs'.
 */
import { remembered, type Remembered } from "../chat/remembered.js";

const chatKey = "turnwire.chat";
const viewKey = "turnwire.view";
const queueKey = "turnwire.queue";
const chosenKey = "turnwire.chosen";

function read(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? localStorage.getItem(key) ?? "null") ?? undefined;
  } catch {
    return undefined; // storage is unavailable or unreadable
  }
}

/** After a logout, nothing that the closing page still sends is stored. */
let forgotten = false;

function write(key: string, value: unknown): void {
  if (forgotten) return;
  try {
    for (const storage of [sessionStorage, localStorage]) {
      if (value === undefined) storage.removeItem(key);
      else storage.setItem(key, JSON.stringify(value));
    }
  } catch {
    // Storage is full or unavailable: remember nothing.
  }
}

export const chatMemory = {
  read: (): Remembered | undefined => remembered(read(chatKey)),
  write: (chat: Remembered | undefined): void => write(chatKey, chat),
};

export const chosenMemory = { read: (): unknown => read(chosenKey), write: (values: unknown): void => write(chosenKey, values) };

export const queueStore = { read: (): unknown => read(queueKey), write: (value: unknown): void => write(queueKey, value) };

export const viewMemory = { read: (): unknown => read(viewKey), write: (state: unknown): void => write(viewKey, state) };

export function forgetAll(): void {
  write(chatKey, undefined);
  write(viewKey, undefined);
  write(queueKey, undefined);
  write(chosenKey, undefined);
  forgotten = true;
}
