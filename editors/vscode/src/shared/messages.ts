/**
 * The messages between the extension host and the view.
 *
 * The view may be destroyed and created again at any time. It sends `ready` and
 * receives the whole chat, and from then on the changes, in order and in
 * batches (at most one per frame). `revision` counts the batches: a view that
 * missed one sends `ready` again.
 */
import type { Attachment, Chat, Fix, Item, OpenChatEntry, Queue, Session, SessionEntry, ToolContent } from "./model.js";

/** One change to the chat. */
export type Change =
  /** Adds an item at the end, or replaces the item with that id. */
  | { type: "item"; item: Item }
  /** Appends text to a message or a thought. */
  | { type: "text"; id: string; text: string }
  /** Appends text to the text or terminal at `index` in a tool call's content. */
  | { type: "output"; id: string; index: number; text: string }
  /** Adds or replaces one item of a tool call's content. */
  | { type: "content"; id: string; index: number; content: ToolContent }
  /** Removes an item: a message that was withdrawn. */
  | { type: "remove"; id: string }
  | { type: "session"; session: Session }
  | { type: "queue"; queue: Queue };

export type ToView =
  | { type: "chat"; revision: number; chat: Chat }
  | { type: "changes"; revision: number; changes: Change[] }
  /** A page of the chat list; the first one replaces the current list. */
  | { type: "sessions"; sessions: SessionEntry[]; first: boolean; last: boolean; /** The agent has more that were not requested. */ more?: boolean; /** Why the list is empty. */ note?: string }
  /** The states of the open chats, whenever one changes. */
  | { type: "openChats"; chats: OpenChatEntry[] }
  /** Files for the mention being typed. */
  | { type: "files"; query: string; files: Attachment[] }
  /** An attachment that was chosen elsewhere in the editor. */
  | { type: "attach"; attachment: Attachment }
  /** Text to put into the prompt for editing. */
  | { type: "draft"; text: string; attachments: Attachment[] }
  /** Focuses the prompt. */
  | { type: "focus" };

export type FromView =
  | { type: "ready" }
  /** Sends a prompt. During a turn, it is queued. */
  | { type: "prompt"; text: string; attachments: Attachment[] }
  /** Removes a prompt from the queue and returns it as a draft. */
  | { type: "editQueued"; id: string }
  | { type: "removeQueued"; id: string }
  /** Sends it now; cancels a running turn first. */
  | { type: "sendQueued"; id: string }
  /** Releases the held queue. */
  | { type: "resumeQueue" }
  | { type: "cancel" }
  /** Sends a user message again: the given one, or the last one. */
  | { type: "retry"; id?: string }
  /** Goes on from before a user message in a new chat; with `undo`, also undoes the file changes since then. */
  | { type: "rewind"; id: string; undo: boolean }
  /** A remedy that an error offered. */
  | { type: "fix"; fix: Fix }
  | { type: "permission"; requestId: string; optionId: string }
  /** Refuses one of a request's changes, or accepts it again. Allowing the request once then allows the others. */
  | { type: "refuse"; requestId: string; path: string; change: number; refused: boolean }
  | { type: "answer"; questionId: string; values: Record<string, string | number | boolean | string[]> }
  | { type: "decline"; questionId: string }
  /** A login method that the user chose. */
  | { type: "login"; loginId: string; methodId: string }
  | { type: "declineLogin"; loginId: string }
  | { type: "setOption"; optionId: string; value: string | boolean }
  | { type: "newSession"; agent?: string }
  /** Shows the editor's list of agents. */
  | { type: "chooseAgent" }
  | { type: "listSessions" }
  /** Requests more of the list. */
  | { type: "moreSessions" }
  | { type: "openSession"; id: string }
  | { type: "renameSession"; id: string; title: string }
  | { type: "deleteSession"; id: string }
  | { type: "findFiles"; query: string }
  /** Shows a tool call's diff in the editor's diff view. */
  | { type: "openDiff"; toolCallId: string; index: number }
  /** Shows the whole of a tool call's output in an editor. */
  | { type: "openOutput"; toolCallId: string; index: number }
  /** Shows a turn's changes in the editor's diff view. */
  | { type: "reviewChanges"; id: string }
  | { type: "undoChanges"; id: string }
  | { type: "openFile"; path: string; line?: number }
  /** A link in the agent's text that the user clicked; the host asks before opening it. */
  | { type: "openLink"; href: string }
  | { type: "copy"; text: string }
  /** Inserts a code block at the editor's cursor. */
  | { type: "insert"; text: string }
  /** An error in the view itself. */
  | { type: "failed"; message: string };
