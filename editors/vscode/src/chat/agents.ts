/** The agents that the user configured. */
import type { Command } from "./command.js";

export interface Agents {
  names(): string[];
  /** The agent for new chats. */
  chosen(): string;
  /**
   * Returns the command that starts an agent; throws an error with a message for the
   * user.
   */
  command(name: string): Command;
}
