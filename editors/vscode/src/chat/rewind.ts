/**
 * "Edit and go on from here": a new chat that begins as a copy of this one and ends
 * before a message of the user.
 */
import type { Conversation } from "./conversation.js";
import type { EarlierChat } from "./earlierChat.js";
import type { Prompt } from "./turn.js";

/**
 * Forks the chat's session before a message; returns the new chat, and the message as its
 * draft. With `undo`, undoes the file changes since then. This chat stays as it is. Throws
 * an error with a message for the user.
 */
export async function rewind(chat: Conversation, id: string, undo: boolean): Promise<{ before: EarlierChat; draft: Prompt }> {
  const item = chat.chat.items.find((one) => one.id === id);
  const { live, cwd } = chat;
  if (item?.type !== "user" || item.cursor === undefined || !live || cwd === undefined) throw new Error("The agent can't go on from this message now.");
  if (chat.busy && !live.shared) throw new Error("A turn is running. Cancel it before you go back.");
  if (chat.busy && undo) throw new Error("A turn is running. Undo its changes when it ends.");
  const sessionId = await live.fork(item.cursor, cwd);
  if (undo) await chat.changes.undoSince(id);
  const { text, attachments } = item;
  return { before: { chatId: sessionId, sessionId, cwd }, draft: { text, attachments } };
}
