/**
 * The open requests in both directions. They matter when the connection is lost:
 * which answers the server has not received, and which prompts end without it.
 */
import type { AnyMessage } from "@agentclientprotocol/sdk";

/** The most permission requests and questions that are remembered. */
const mostAsked = 1_000;

const refused = { outcome: { outcome: "cancelled" } };

interface Asked {
  session: unknown;
  call: string;
}

export class OpenRequests {
  /** The server's permission requests, by id. */
  readonly #asked = new Map<unknown, Asked>();
  /** The ids of the server's questions. */
  readonly #questions = new Set<unknown>();
  /** The unanswered prompts, by id. */
  readonly #prompts = new Map<unknown, { session: unknown; cancelled: boolean }>();
  /** The prompts that were ended here, by id. */
  readonly #ended = new Set<unknown>();
  /** By session: the turns that the server has reported, and those that were ended here. */
  readonly #turns = new Map<unknown, { running: number; ended: number }>();

  sent(message: AnyMessage): void {
    if ("method" in message && "id" in message && message.method === "session/prompt") this.#prompts.set(message.id, { session: sessionOf(message.params), cancelled: false });
  }

  cancelled(session: unknown): void {
    for (const prompt of this.#prompts.values()) prompt.cancelled ||= prompt.session === session;
  }

  /** Returns false if the message must be dropped, because this side has answered it. */
  received(message: AnyMessage): boolean {
    if (!("method" in message)) {
      this.#prompts.delete(message.id);
      return !this.#ended.delete(message.id);
    }
    if (message.method === "session/update") return this.#updated(message.params);
    if ("id" in message && message.method === "elicitation/create") {
      this.#questions.add(message.id);
      const [oldest] = this.#questions;
      if (this.#questions.size > mostAsked) this.#questions.delete(oldest);
    }
    if (!("id" in message) || message.method !== "session/request_permission") return true;
    const call = (message.params as { toolCall?: { toolCallId?: unknown } } | undefined)?.toolCall?.toolCallId;
    if (typeof call !== "string") return true;
    this.#asked.set(message.id, { session: sessionOf(message.params), call });
    const [oldest] = this.#asked.keys();
    if (this.#asked.size > mostAsked) this.#asked.delete(oldest);
    return true;
  }

  /** Returns the tool calls whose permission requests the messages answer. */
  calls(messages: readonly string[]): Set<string> {
    const calls = new Set<string>();
    for (const text of messages) {
      const asked = this.#answered(text);
      if (asked) calls.add(asked.call);
    }
    return calls;
  }

  /** Returns how many of the messages answer questions. */
  answers(messages: readonly string[]): number {
    return messages.filter((text) => {
      const message = parse(text);
      return message && !("method" in message) && this.#questions.has(message.id);
    }).length;
  }

  /**
   * Returns what replaces a message that the server has not received when the
   * turn is cancelled: a permission becomes a refusal.
   */
  refusal(text: string, session: unknown): string {
    const asked = this.#answered(text);
    if (!asked || asked.session !== session) return text;
    const { jsonrpc, id } = JSON.parse(text) as { jsonrpc: string; id: unknown };
    return JSON.stringify({ jsonrpc, id, result: refused });
  }

  /**
   * Returns messages that end the cancelled prompts and their turns. Those of the
   * server are dropped later.
   */
  endCancelled(): AnyMessage[] {
    const messages: unknown[] = [];
    for (const [id, { session, cancelled }] of this.#prompts) {
      if (!cancelled) continue;
      this.#prompts.delete(id);
      this.#ended.add(id);
      const turns = this.#turns.get(session);
      if (turns && turns.running > 0) {
        turns.running--;
        turns.ended++;
        const update = { sessionUpdate: "turn_complete", stopReason: "cancelled" };
        messages.push({ jsonrpc: "2.0", method: "session/update", params: { sessionId: session, update } });
      }
      messages.push({ jsonrpc: "2.0", id, result: { stopReason: "cancelled" } });
    }
    return messages as AnyMessage[];
  }

  #updated(params: unknown): boolean {
    const kind = (params as { update?: { sessionUpdate?: unknown } } | undefined)?.update?.sessionUpdate;
    if (kind !== "prompt_received" && kind !== "turn_complete") return true;
    const session = sessionOf(params);
    const turns = this.#turns.get(session) ?? { running: 0, ended: 0 };
    this.#turns.set(session, turns);
    if (kind === "turn_complete" && turns.ended > 0) {
      turns.ended--;
      return false;
    }
    turns.running = Math.max(0, turns.running + (kind === "prompt_received" ? 1 : -1));
    return true;
  }

  #answered(text: string): Asked | undefined {
    const message = parse(text);
    return message && !("method" in message) ? this.#asked.get(message.id) : undefined;
  }
}

export function sessionOf(params: unknown): unknown {
  return (params as { sessionId?: unknown } | undefined)?.sessionId;
}

/** Parses a message; returns undefined if it isn't one. */
export function parse(text: string): AnyMessage | undefined {
  try {
    const message: unknown = JSON.parse(text);
    return typeof message === "object" && message !== null && !Array.isArray(message) ? (message as AnyMessage) : undefined;
  } catch {
    return undefined;
  }
}
