/**
 * The earlier state of a chat that continues: in the same window, after a
 * reload, or from the list.
 */
import type { Item, Queue } from "../shared/model.js";
import type { Remembered } from "./remembered.js";
import type { Prompt } from "./turn.js";

/** If `items` is unset, the agent replays the messages. */
export interface EarlierChat {
  chatId: string;
  sessionId?: string;
  /** The folder that the agent worked in. */
  cwd?: string;
  title?: string;
  items?: Item[];
  /**
   * A prompt that may not have reached the server before the connection was
   * lost.
   */
  unsent?: Prompt;
  /** The unsent prompts in the queue. */
  queue?: Queue;
  /** A turn was running when the window was closed. */
  interrupted?: boolean;
  /** The window was reloaded, so its previous process may still have the session open. */
  reloaded?: boolean;
}

export const earlierChat = ({ chatId, sessionId, cwd, busy = false }: Remembered): EarlierChat => ({
  chatId,
  sessionId,
  interrupted: busy,
  reloaded: true,
  ...(cwd === undefined ? {} : { cwd }),
});
