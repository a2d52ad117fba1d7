/** The options of a conversation. */
import type { Change } from "../shared/messages.js";
import type { EarlierChat } from "./earlierChat.js";
import type { ChosenMemory } from "./chosen.js";
import type { Command } from "./command.js";
import type { Traffic } from "./connection.js";
import type { Editor } from "./editor.js";
import type { WireEvent } from "./events.js";
import type { Machine } from "./machine.js";

export interface ConversationOptions {
  editor: Editor;
  machine: Machine;
  version: string;
  agent: string;
  agents: string[];
  /**
   * Returns the command that starts the agent; throws an error with a message
   * for the user.
   */
  command(): Command;
  traffic: Traffic;
  emit(change: Change): void;
  onEvent(event: WireEvent): void;
  /** The user's earlier choices, by agent. */
  chosen?: ChosenMemory;
  now?: () => number;
  /** Milliseconds to wait for the session while another process has it open. */
  heldTimeout: number;
  /** The state of a chat that continues. */
  before?: EarlierChat;
}
