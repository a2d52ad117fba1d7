/** What a conversation is made with. */
import type { Change } from "../shared/messages.js";
import type { Before } from "./before.js";
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
  /** How the agent is started; throws in words for the person. */
  command(): Command;
  traffic: Traffic;
  emit(change: Change): void;
  onEvent(event: WireEvent): void;
  /** What was chosen of the agents before. */
  chosen?: ChosenMemory;
  now?: () => number;
  /** A chat that goes on. */
  before?: Before;
}
