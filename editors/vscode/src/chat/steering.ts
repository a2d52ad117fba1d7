/**
 * Sends queued prompts during a turn, to an agent that reads messages then. A prompt
 * that it read too late is sent when the turn ends.
 */
import { RequestError } from "@agentclientprotocol/sdk";

import type { AgentSession } from "./agentSession.js";
import { toBlocks } from "./attachments.js";
import type { ConversationOptions } from "./conversationOptions.js";
import { errorText } from "./rpcError.js";
import type { Queue } from "./queue.js";
import type { Facts } from "./sessionFacts.js";
import type { Updates } from "./updates.js";

const cancelled = -32800;

export class Steering {
  readonly #queue: Queue;
  readonly #facts: Facts;
  readonly #updates: Updates;
  readonly #options: Pick<ConversationOptions, "editor" | "machine">;

  constructor(options: Pick<ConversationOptions, "editor" | "machine">, queue: Queue, facts: Facts, updates: Updates) {
    this.#options = options;
    this.#queue = queue;
    this.#facts = facts;
    this.#updates = updates;
  }

  get possible(): boolean {
    const { steers, status } = this.#facts.session;
    return steers === true && status === "running";
  }

  /** Sends a prompt to the agent. Resolves once it is clear what happened to it. */
  async send(agent: AgentSession, id: string): Promise<void> {
    const prompt = this.#queue.lend(id);
    if (!prompt) return;
    try {
      const { editor, machine } = this.#options;
      const blocks = await toBlocks(prompt, this.#facts.session.accepts, editor, machine.paths);
      const outcome = await agent.steer(blocks, () => {
        this.#queue.drop(id);
        this.#updates.userSays(prompt);
      });
      if (outcome === "promptRequired" && this.#facts.session.status !== "cancelling" && this.#queue.shown.held === undefined) this.#queue.hurry(id);
      else if (outcome === "failed") this.#refused("");
    } catch (error) {
      if (!(error instanceof RequestError && error.code === cancelled) && !agent.connection.isClosed) this.#refused(errorText(error));
    } finally {
      this.#queue.giveBack(id);
    }
  }

  #refused(why: string): void {
    this.#updates.notice("warning", "The agent did not take the message during its turn. It stays in the queue.", why);
  }
}
