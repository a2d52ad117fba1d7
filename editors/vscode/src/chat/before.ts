/**
 * A chat that goes on: in the same window, after a reload, or from the list.
 */
import type { Item, Queue } from "../shared/model.js";
import type { Remembered } from "./remembered.js";
import type { Prompt } from "./turn.js";

/** Where nothing is shown of it, the agent plays it back. */
export interface Before {
  chatId: string;
  sessionId?: string;
  /** The folder that the agent worked in. */
  cwd?: string;
  title?: string;
  items?: Item[];
  /** What may not have reached the server before it went away. */
  unsent?: Prompt;
  /** What was queued and not sent. */
  queue?: Queue;
  /** A turn ran when the window was closed. */
  interrupted?: boolean;
}

export const beforeOf = ({ chatId, sessionId, cwd, busy = false }: Remembered): Before => ({
  chatId,
  sessionId,
  interrupted: busy,
  ...(cwd === undefined ? {} : { cwd }),
});
