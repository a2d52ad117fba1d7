/**
 * The agent's permission requests.
 *
 * Only an offered option that the user chose counts as consent. A request is
 * answered once: by the user, or with "cancelled" when the turn is cancelled or
 * ends, or when the agent withdraws the request.
 */
import type { RequestPermissionRequest, RequestPermissionResponse } from "@agentclientprotocol/sdk";

import type { Permission, PermissionChoice, ToolCall } from "../shared/model.js";
import { newId } from "../shared/newId.js";
import { cutMiddle } from "./cutText.js";
import { decided, honest } from "./permissionWords.js";
import type { SharedDecision } from "./sharedTurns.js";

const maxOptions = 20;
const maxReason = 32 << 10;
/** The most settled requests that are remembered. */
const mostSettled = 100;

interface Pending {
  permission: Permission;
  toolCallId: string;
  settle(outcome: RequestPermissionResponse["outcome"], decision: string, refused: boolean): void;
}

export interface PermissionHooks {
  /** Shows a change of the waiting call. */
  show(toolCallId: string, change: { permission?: Permission; decision?: string; refused?: boolean }): void;
  asked(toolCallId: string, permission: Permission): void;
  settled(requestId: string): void;
}

export class Permissions {
  readonly #pending = new Map<string, Pending>();
  /** The last settled request of each call, and the option that was chosen here. */
  readonly #settled = new Map<string, { permission: Permission; chosen?: string }>();
  readonly #hooks: PermissionHooks;

  constructor(hooks: PermissionHooks) {
    this.#hooks = hooks;
  }

  /** The number of pending requests. */
  get waiting(): number {
    return this.#pending.size;
  }

  ask(request: RequestPermissionRequest, reason: string, signal: AbortSignal): Promise<RequestPermissionResponse> {
    const options = choices(request);
    const { toolCallId } = request.toolCall;
    if (options.length === 0 || signal.aborted) return Promise.resolve({ outcome: { outcome: "cancelled" } });
    // Never reused, not even by the same chat with a restarted agent.
    const requestId = newId();
    const permission: Permission = { requestId, options };
    if (reason) permission.reason = cutMiddle(reason, maxReason);
    return new Promise((resolve) => {
      const withdraw = (): void => this.#withdraw(requestId, "Withdrawn by the agent");
      signal.addEventListener("abort", withdraw, { once: true });
      this.#pending.set(requestId, {
        permission,
        toolCallId,
        settle: (outcome, decision, refused) => {
          this.#remember(toolCallId, permission, outcome);
          signal.removeEventListener("abort", withdraw);
          this.#pending.delete(requestId);
          resolve({ outcome });
          const next = this.of(toolCallId);
          this.#hooks.show(toolCallId, next ? { permission: next, decision, refused } : { decision, refused });
          this.#hooks.settled(requestId);
        },
      });
      // If the call already has a pending request, this one is shown after that is
      // answered.
      this.#hooks.show(toolCallId, { permission: this.of(toolCallId) ?? permission });
      this.#hooks.asked(toolCallId, permission);
    });
  }

  /** Returns a call's first pending request. */
  of(toolCallId: string): Permission | undefined {
    for (const pending of this.#pending.values()) {
      if (pending.toolCallId === toolCallId) return pending.permission;
    }
    return undefined;
  }

  /** Answers a request; returns false if it isn't pending or has no such option. */
  answer(requestId: string, optionId: string): boolean {
    const pending = this.#pending.get(requestId);
    const option = pending?.permission.options.find((o) => o.id === optionId);
    if (!pending || !option) return false;
    pending.settle({ outcome: "selected", optionId }, decided(option), option.kind.startsWith("reject"));
    return true;
  }

  /**
   * Shows which option was chosen in another client. The server withdraws the request at the
   * same time, or an answer from here came too late. If several requests about the call are
   * pending, it is unknown which one that was.
   */
  decidedElsewhere({ toolCallId, optionId, from }: SharedDecision): void {
    const [pending, ...more] = [...this.#pending.values()].filter((one) => one.toolCallId === toolCallId);
    if (more.length > 0) return;
    const { permission, chosen }: { permission?: Permission; chosen?: string } = pending ?? this.#settled.get(toolCallId) ?? {};
    const option = permission?.options.find(({ id }) => id === optionId);
    if (!option || option.id === chosen) return;
    const decision = decided(option, from);
    const refused = option.kind.startsWith("reject");
    if (pending) pending.settle({ outcome: "cancelled" }, decision, refused);
    else this.#hooks.show(toolCallId, { decision, refused });
  }

  withdrawAll(decision: string): void {
    for (const requestId of [...this.#pending.keys()]) this.#withdraw(requestId, decision);
  }

  #remember(toolCallId: string, permission: Permission, outcome: RequestPermissionResponse["outcome"]): void {
    this.#settled.set(toolCallId, { permission, ...(outcome.outcome === "selected" ? { chosen: outcome.optionId } : {}) });
    const [oldest] = this.#settled.keys();
    if (oldest !== undefined && this.#settled.size > mostSettled) this.#settled.delete(oldest);
  }

  #withdraw(requestId: string, decision: string): void {
    this.#pending.get(requestId)?.settle({ outcome: "cancelled" }, decision, false);
  }
}

function choices({ options }: RequestPermissionRequest): PermissionChoice[] {
  const out: PermissionChoice[] = [];
  for (const { optionId: id, name, kind } of options.slice(0, maxOptions)) {
    // In a response, two options with the same id would be ambiguous.
    if (out.some((o) => o.id === id)) continue;
    out.push({ id, name: honest(name.trim(), kind), kind });
  }
  return out;
}

/**
 * Splits a request into its reason and the call. The reason is the content that the
 * call doesn't show: agents put it there because the protocol has no member for it.
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
