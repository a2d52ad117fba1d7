/**
 * Secrets in forms. The protocol has no member for them, so Turnwire marks their
 * fields. Their values are never shown, stored or logged.
 */
import type { AnyMessage, ElicitationPropertySchema } from "@agentclientprotocol/sdk";

const secretMeta = "turnwire.dev/secret";
/** The same length for every secret, because the length is a secret too. */
export const mask = "••••••";

export const isSecret = ({ _meta: meta }: Pick<ElicitationPropertySchema, "_meta">): boolean =>
  typeof meta === "object" && meta !== null && (meta as Record<string, unknown>)[secretMeta] === true;

/** Tracks a connection's requests, to know which responses contain secrets. */
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

  /** Returns the message in a form that may be logged. */
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
