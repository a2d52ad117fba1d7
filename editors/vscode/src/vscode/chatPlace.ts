/** A place of the editor that shows a chat: the side bar, or an editor tab. */
import type { Host } from "../chat/host.js";
import type { ToView } from "../shared/messages.js";

export interface ChatPlace {
  readonly host: Host;
  readonly visible: boolean;
  /** Shows the chat, focuses its prompt and sends it messages. */
  focus(...messages: ToView[]): Promise<void>;
}
