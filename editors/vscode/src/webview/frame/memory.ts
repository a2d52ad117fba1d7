/**
 * What the view remembers while it is hidden and recreated: drafts, open and
 * closed parts, and the scroll position. The chat itself comes from the host.
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
  /** Whether the end of the chat is visible and stays so. */
  atEnd: boolean;
  /** Otherwise the item at the upper edge, and how far it is scrolled out. */
  item?: string;
  offset?: number;
}

interface ChatMemory {
  draft: Draft;
  /** Draft answers to questions, by question and field. */
  answers: Record<string, Record<string, string | boolean | string[]>>;
  expanded: Record<string, boolean>;
  place: Place;
}

/** Most chats whose drafts are stored. */
const mostChats = 20;
/** Most prompts that can be recalled, and the length of the longest one. */
const mostPrompts = 100;
const longestPrompt = 4000;
const patience = 200; // milliseconds until a change is stored

let chats: Map<string, ChatMemory> = read(remembered());
/** The sent prompts of all chats, the newest last. */
let sent: string[] = readSent(remembered());
/** The chat that the view shows, so that the editor can restore it. */
let open: string | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

export function memoryOf(chatId: string): ChatMemory {
  const known = chats.get(chatId);
  if (known) return known;
  const made: ChatMemory = { draft: { text: "", attachments: [] }, answers: {}, expanded: {}, place: { atEnd: true } };
  chats.set(chatId, made);
  return made;
}

/** Converts an external id to a key that no object has by default. */
export function keyFor(id: string): string {
  return `:${id}`;
}

/** Stores the changes soon. */
export function changed(chatId: string): void {
  const memory = memoryOf(chatId);
  chats.delete(chatId);
  chats.set(chatId, memory); // moves the chat to the end, as the newest one
  timer ??= setTimeout(save, patience);
}

/** Remembers a sent prompt, so that it can be recalled. */
export function rememberPrompt(text: string): void {
  if (text.trim() === "" || text.length > longestPrompt) return;
  sent = [...sent.filter((other) => other !== text), text].slice(-mostPrompts);
  save();
}

export const sentPrompts = (): readonly string[] => sent;

/** Stores which chat the view shows. */
export function shows(chatId: string): void {
  open = chatId;
  save();
}

/** Stores the changes now, before the view goes away. */
export function save(): void {
  clearTimeout(timer);
  timer = undefined;
  chats = new Map([...chats].slice(-mostChats));
  remember({ version: 1, ...(open === undefined ? {} : { open }), sent, chats: [...chats] });
}

/**
 * Parses a stored state, which may come from an older view; an unreadable one
 * counts as empty.
 */
function read(state: unknown): Map<string, ChatMemory> {
  if (typeof state !== "object" || state === null || !("version" in state) || state.version !== 1) return new Map();
  return "chats" in state && Array.isArray(state.chats) ? new Map(state.chats as [string, ChatMemory][]) : new Map();
}

function readSent(state: unknown): string[] {
  const stored = typeof state === "object" && state !== null && "sent" in state ? state.sent : undefined;
  return Array.isArray(stored) ? stored.filter((text) => typeof text === "string").slice(-mostPrompts) : [];
}
