/**
 * What the extension host and the view say to each other.
 *
 * The view may be thrown away and made again at any time. It says `ready`, gets
 * the whole chat, and from then on the changes, in order and in batches (one a
 * frame at most). `revision` counts batches: a view that has missed one says
 * `ready` again.
 */
import type { Attachment, Chat, Cure, Item, Queue, Session, SessionEntry, ToolContent } from "./model.js";

/** One change of the chat. */
export type Change =
  /** A new item at the end, or the item with that id as it is now. */
  | { type: "item"; item: Item }
  /** More text at the end of a message or a thought. */
  | { type: "text"; id: string; text: string }
  /** More text at the end of the text or terminal at `index` of a tool call's content. */
  | { type: "output"; id: string; index: number; text: string }
  /** One item of a tool call's content, new or replaced. */
  | { type: "content"; id: string; index: number; content: ToolContent }
  /** An item is no more: a message that was taken back. */
  | { type: "remove"; id: string }
  | { type: "session"; session: Session }
  | { type: "queue"; queue: Queue };

export type ToView =
  | { type: "chat"; revision: number; chat: Chat }
  | { type: "changes"; revision: number; changes: Change[] }
  /** A page of the chats that can be opened again; the first one replaces those that were listed before. */
  | { type: "sessions"; sessions: SessionEntry[]; first: boolean; last: boolean; /** The agent has more of them, which were not asked for. */ more?: boolean; /** Why there are none. */ note?: string }
  /** Files for the mention that is being typed. */
  | { type: "files"; query: string; files: Attachment[] }
  /** Something to send along, picked elsewhere in the editor. */
  | { type: "attach"; attachment: Attachment }
  /** Put this into the prompt, to be changed and sent. */
  | { type: "draft"; text: string; attachments: Attachment[] }
  /** Put the keyboard into the prompt. */
  | { type: "focus" };

export type FromView =
  | { type: "ready" }
  /** During a turn, the prompt is queued. */
  | { type: "prompt"; text: string; attachments: Attachment[] }
  /** Take a prompt out of the queue and give it back as a draft. */
  | { type: "editQueued"; id: string }
  | { type: "removeQueued"; id: string }
  /** Send it now; a turn that runs is cancelled first. */
  | { type: "sendQueued"; id: string }
  /** Go on with a queue that is held. */
  | { type: "resumeQueue" }
  | { type: "cancel" }
  /** Send a message of the person again, or the last one. */
  | { type: "retry"; id?: string }
  /** Something that an error has offered. */
  | { type: "cure"; cure: Cure }
  | { type: "permission"; requestId: string; optionId: string }
  | { type: "answer"; questionId: string; values: Record<string, string | number | boolean | string[]> }
  | { type: "decline"; questionId: string }
  /** A way to log in that the person has chosen. */
  | { type: "login"; loginId: string; methodId: string }
  | { type: "declineLogin"; loginId: string }
  | { type: "setOption"; optionId: string; value: string | boolean }
  | { type: "newSession"; agent?: string }
  | { type: "listSessions" }
  /** More of that list. */
  | { type: "moreSessions" }
  | { type: "openSession"; id: string }
  | { type: "renameSession"; id: string; title: string }
  | { type: "deleteSession"; id: string }
  | { type: "findFiles"; query: string }
  /** Show a tool call's difference in the editor's own view. */
  | { type: "openDiff"; toolCallId: string; index: number }
  /** Show what a turn has changed in the editor's own view. */
  | { type: "reviewChanges"; id: string }
  | { type: "undoChanges"; id: string }
  | { type: "openFile"; path: string; line?: number }
  /** A link that the person chose in the agent's text; the host asks before it opens one. */
  | { type: "openLink"; href: string }
  | { type: "copy"; text: string }
  /** Put a code block into the editor at the cursor. */
  | { type: "insert"; text: string }
  /** Something went wrong in the view itself. */
  | { type: "failed"; message: string };
