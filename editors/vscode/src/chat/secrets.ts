/**
 * Secrets that the agent asks for in forms. The protocol has no member for them, so
 * Turnwire marks their fields; what is typed there is shown and kept nowhere, and the
 * log of the wire does not have it either.
 */
import type { AnyMessage, ElicitationPropertySchema } from "@agentclientprotocol/sdk";

const secretMeta = "turnwire.dev/secret";
/** As long for every secret: its length is one, too. */
export const mask = "••••••";

export const isSecret = ({ _meta: meta }: Pick<ElicitationPropertySchema, "_meta">): boolean =>
  typeof meta === "object" && meta !== null && (meta as Record<string, unknown>)[secretMeta] === true;

/** Follows the requests of one connection, to know where their answers hold secrets. */
export class SecretAnswers {
  readonly #names = new Map<unknown, string[]>();

  asked(message: AnyMessage): void {
    if (!("method" in message) || message.method !== "elicitation/create" || !("id" in message)) return;
    const { requestedSchema } = (message.params ?? {}) as { requestedSchema?: { properties?: unknown } };
    const properties = requestedSchema?.properties;
    if (typeof properties !== "object" || properties === null) return;
    const names = Object.entries(properties).filter(([, schema]) => typeof schema === "object" && schema !== null && isSecret(schema));
    if (names.length > 0) this.#names.set(message.id, names.map(([name]) => name));
  }

  /** The message as it may be written down. */
  masked(message: AnyMessage): unknown {
    if ("method" in message || !("id" in message) || !("result" in message)) return message;
    const names = this.#names.get(message.id);
    this.#names.delete(message.id);
    const { content, ...result } = (message.result ?? {}) as { content?: unknown };
    if (!names || typeof content !== "object" || content === null) return message;
    const shown = Object.entries(content).map(([name, value]) => [name, names.includes(name) ? mask : value]);
    return { ...message, result: { ...result, content: Object.fromEntries(shown) } };
  }
}
