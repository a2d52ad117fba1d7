/** What this browser remembers: its chat, and what the view keeps. A tab comes before what another one has left. */
import { remembered, type Remembered } from "../chat/remembered.js";

const chatKey = "turnwire.chat";
const viewKey = "turnwire.view";
const queueKey = "turnwire.queue";
const chosenKey = "turnwire.chosen";

function read(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? localStorage.getItem(key) ?? "null") ?? undefined;
  } catch {
    return undefined; // there is no storage, or what is in it cannot be read
  }
}

/** The person has logged out: what the page still says while it goes is not kept. */
let forgotten = false;

function write(key: string, value: unknown): void {
  if (forgotten) return;
  try {
    for (const storage of [sessionStorage, localStorage]) {
      if (value === undefined) storage.removeItem(key);
      else storage.setItem(key, JSON.stringify(value));
    }
  } catch {
    // It is full or closed: then nothing is remembered.
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
