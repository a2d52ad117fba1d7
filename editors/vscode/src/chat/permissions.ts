/**
 * What the agent wants to do and the person has to allow.
 *
 * Consent is an option that was offered and that the person chose; nothing else is.
 * A request is answered once: by the person, or with "cancelled" when the turn is
 * cancelled, the agent takes it back, or it ends.
 */
import type { RequestPermissionRequest, RequestPermissionResponse } from "@agentclientprotocol/sdk";

import type { Permission, PermissionChoice, ToolCall } from "../shared/model.js";
import { cutMiddle } from "./cut.js";
import { decided, honest } from "./permissionWords.js";

const maxOptions = 20;
const maxReason = 32 << 10;

interface Pending {
  permission: Permission;
  toolCallId: string;
  settle(outcome: RequestPermissionResponse["outcome"], decision: string, refused: boolean): void;
}

export interface PermissionHooks {
  /** The call that waits for the person, changed. */
  show(toolCallId: string, change: { permission?: Permission; decision?: string; refused?: boolean }): void;
  asked(toolCallId: string, permission: Permission): void;
  settled(requestId: string): void;
}

export class Permissions {
  readonly #pending = new Map<string, Pending>();
  readonly #hooks: PermissionHooks;

  constructor(hooks: PermissionHooks) {
    this.#hooks = hooks;
  }

  ask(request: RequestPermissionRequest, reason: string, signal: AbortSignal): Promise<RequestPermissionResponse> {
    const options = choices(request);
    const { toolCallId } = request.toolCall;
    if (options.length === 0 || signal.aborted) return Promise.resolve({ outcome: { outcome: "cancelled" } });
    // No other request ever has it, not even of this chat with its agent started again.
    const requestId = crypto.randomUUID();
    const permission: Permission = { requestId, options };
    if (reason) permission.reason = cutMiddle(reason, maxReason);
    return new Promise((resolve) => {
      const withdraw = (): void => this.#withdraw(requestId, "Taken back by the agent");
      signal.addEventListener("abort", withdraw, { once: true });
      this.#pending.set(requestId, {
        permission,
        toolCallId,
        settle: (outcome, decision, refused) => {
          signal.removeEventListener("abort", withdraw);
          this.#pending.delete(requestId);
          resolve({ outcome });
          const next = this.of(toolCallId);
          this.#hooks.show(toolCallId, next ? { permission: next, decision, refused } : { decision, refused });
          this.#hooks.settled(requestId);
        },
      });
      // A call that waits already shows this request when that one is answered.
      this.#hooks.show(toolCallId, { permission: this.of(toolCallId) ?? permission });
      this.#hooks.asked(toolCallId, permission);
    });
  }

  /** What a call waits for: the first of its requests. */
  of(toolCallId: string): Permission | undefined {
    for (const pending of this.#pending.values()) {
      if (pending.toolCallId === toolCallId) return pending.permission;
    }
    return undefined;
  }

  /** False where that is no request that waits, or no option of it. */
  answer(requestId: string, optionId: string): boolean {
    const pending = this.#pending.get(requestId);
    const option = pending?.permission.options.find((o) => o.id === optionId);
    if (!pending || !option) return false;
    pending.settle({ outcome: "selected", optionId }, decided(option), option.kind.startsWith("reject"));
    return true;
  }

  withdrawAll(decision: string): void {
    for (const requestId of [...this.#pending.keys()]) this.#withdraw(requestId, decision);
  }

  #withdraw(requestId: string, decision: string): void {
    this.#pending.get(requestId)?.settle({ outcome: "cancelled" }, decision, false);
  }
}

function choices({ options }: RequestPermissionRequest): PermissionChoice[] {
  const out: PermissionChoice[] = [];
  for (const { optionId: id, name, kind } of options.slice(0, maxOptions)) {
    // Two options of one id could not be told apart in the answer.
    if (out.some((o) => o.id === id)) continue;
    out.push({ id, name: honest(name.trim(), kind), kind });
  }
  return out;
}

/**
 * Parts a request into why it is asked and the call as it stays. What the request
 * says and the call does not show is the reason: agents put it into the content
 * because the protocol has no other place for it.
 */
export function splitRequest(
  { toolCall }: RequestPermissionRequest,
  call: ToolCall | undefined,
): { reason: string; toolCall: RequestPermissionRequest["toolCall"] } {
  const { content, ...rest } = toolCall;
  if (!content) return { reason: "", toolCall };
  const shown = new Set(call?.content.map((c) => (c.type === "text" ? c.text : "")));
  const reasons: string[] = [];
  const kept = content.filter((c) => {
    if (c.type !== "content" || c.content.type !== "text" || shown.has(c.content.text)) return true;
    reasons.push(c.content.text);
    return false;
  });
  return { reason: reasons.join("\n\n").trim(), toolCall: kept.length > 0 ? { ...rest, content: kept } : rest };
}
