/**
 * What the view keeps over being hidden and made again: drafts, what is opened
 * and closed, and where it was scrolled to. The chat itself comes from the host.
 */
import type { Attachment } from "../../shared/model.js";
import { remember, remembered } from "./host.js";

export interface Draft {
  text: string;
  attachments: Attachment[];
}

/** Whether there is something to send. */
export function isWritten({ text, attachments }: Draft): boolean {
  return text.trim() !== "" || attachments.length > 0;
}

export interface Place {
  /** Whether the end of the chat is in sight, and stays there. */
  atEnd: boolean;
  /** Otherwise the item at the upper edge, and how far it is scrolled out. */
  item?: string;
  offset?: number;
}

interface ChatMemory {
  draft: Draft;
  /** Answers typed into questions, by question and field. */
  answers: Record<string, Record<string, string | boolean | string[]>>;
  expanded: Record<string, boolean>;
  place: Place;
}

/** Chats whose drafts are kept. */
const mostChats = 20;
const patience = 200; // milliseconds until a change is written down

let chats: Map<string, ChatMemory> = read(remembered());
let timer: ReturnType<typeof setTimeout> | undefined;

export function memoryOf(chatId: string): ChatMemory {
  const known = chats.get(chatId);
  if (known) return known;
  const made: ChatMemory = { draft: { text: "", attachments: [] }, answers: {}, expanded: {}, place: { atEnd: true } };
  chats.set(chatId, made);
  return made;
}

/** The name that something with an id from outside is kept under: never one that an object has by itself. */
export function keyFor(id: string): string {
  return `:${id}`;
}

/** Writes down what has changed, soon. */
export function changed(chatId: string): void {
  const memory = memoryOf(chatId);
  chats.delete(chatId);
  chats.set(chatId, memory); // the last one is the newest
  timer ??= setTimeout(save, patience);
}

/** Writes down what has changed, now: before the view goes away. */
export function save(): void {
  clearTimeout(timer);
  timer = undefined;
  chats = new Map([...chats].slice(-mostChats));
  remember({ version: 1, chats: [...chats] });
}

/** The state was written by this view or an older one; one that cannot be read is none. */
function read(state: unknown): Map<string, ChatMemory> {
  if (typeof state !== "object" || state === null || !("version" in state) || state.version !== 1) return new Map();
  return "chats" in state && Array.isArray(state.chats) ? new Map(state.chats as [string, ChatMemory][]) : new Map();
}
