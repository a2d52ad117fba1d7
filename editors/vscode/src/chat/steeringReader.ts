/**
 * `_session/steering`, an extension of the protocol: messages that the agent reads
 * during its turn.
 *
 * The response says where in the stream the agent read the message. The library
 * delivers responses later than updates that follow them, so the response is preceded
 * by an update that marks the place.
 */
import type { AnyMessage, SessionNotification } from "@agentclientprotocol/sdk";

export const steeringMethod = "_session/steering";
const mark = "turnwire.dev/steered";

/** Returns what a response or an update says about messages during a turn, if anything. */
export function steersIn(said: { _meta?: Record<string, unknown> | null } | null | undefined): boolean | undefined {
  const { supported } = (said?._meta?.["steering"] ?? {}) as { supported?: unknown };
  return typeof supported === "boolean" ? supported : undefined;
}

export type Outcome = "injected" | "startedNewTurn" | "promptRequired" | "failed";

/** Marks the places of messages in the stream. They are counted in the order of their requests. */
export class SteeringReader {
  readonly #sent = new Map<unknown, number>();
  #count = 0;

  /** Called with each message to the agent. */
  sends(message: AnyMessage): void {
    if ("method" in message && "id" in message && message.method === steeringMethod) this.#sent.set(message.id, this.#count++);
  }

  /** Returns the messages that replace one from the agent. */
  read(message: AnyMessage): AnyMessage[] {
    if ("method" in message || !this.#sent.has(message.id)) return [message];
    const number = this.#sent.get(message.id);
    this.#sent.delete(message.id);
    const outcome = "result" in message ? (message.result as { outcome?: unknown } | null)?.outcome : undefined;
    if (outcome !== "injected" && outcome !== "startedNewTurn") return [message];
    const update = { sessionUpdate: "user_message_chunk", content: { type: "text", text: "" }, _meta: { [mark]: number } };
    return [{ jsonrpc: "2.0", method: "session/update", params: { sessionId: "", update } }, message];
  }
}

/** Calls the function of each message when its place comes. */
export class Places {
  readonly #waiting = new Map<number, () => void>();
  #count = 0;

  /** Called when a request is sent. */
  add(reached: () => void): void {
    this.#waiting.set(this.#count++, reached);
  }

  /** Returns false if an update marks no place. */
  reached({ sessionId, update }: SessionNotification): boolean {
    const number = sessionId === "" ? update._meta?.[mark] : undefined;
    if (typeof number !== "number") return false;
    this.#waiting.get(number)?.();
    this.#waiting.delete(number);
    return true;
  }
}

