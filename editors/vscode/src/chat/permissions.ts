/**
 * The agent's permission requests.
 *
 * Only an offered option that the user chose counts as consent. A request is
 * answered once: by the user, or with "cancelled" when the turn is cancelled or
 * ends, or when the agent withdraws the request.
 */
import type { RequestPermissionRequest, RequestPermissionResponse } from "@agentclientprotocol/sdk";

import type { Permission, PermissionChoice, ToolCall, ToolContent } from "../shared/model.js";
import { countChanges } from "../shared/countChanges.js";
import { newId } from "../shared/newId.js";
import { acceptedMeta, partsOf, shows, textWithout, type Part } from "./changeParts.js";
import { cutMiddle } from "./cutText.js";
import { decided, honest, type Decided } from "./permissionWords.js";
import type { SharedDecision } from "./sharedTurns.js";

const maxOptions = 20;
const maxReason = 32 << 10;
/** The most settled requests that are remembered. */
const mostSettled = 100;

interface Pending {
  permission: Permission;
  toolCallId: string;
  /** The files whose changes can be refused one by one, as the request shows them. */
  parts: readonly Part[];
  settle(response: RequestPermissionResponse, decision: Decided): void;
}

const cancelled: RequestPermissionResponse = { outcome: { outcome: "cancelled" } };

export interface PermissionHooks {
  /** Shows a change of the waiting call. */
  show(toolCallId: string, change: { permission?: Permission; decision?: Decided }): void;
  asked(toolCallId: string, permission: Permission): void;
  settled(requestId: string): void;
  /** What a call shows. */
  content(toolCallId: string): readonly ToolContent[];
}

interface Settled {
  permission: Permission;
  chosen?: string;
  partial?: boolean;
}

export class Permissions {
  readonly #pending = new Map<string, Pending>();
  /** The last settled request of each call, and the option that was chosen here. */
  readonly #settled = new Map<string, Settled>();
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
    if (options.length === 0 || signal.aborted) return Promise.resolve(cancelled);
    // Never reused, not even by the same chat with a restarted agent.
    const requestId = newId();
    const permission: Permission = { requestId, options };
    if (reason) permission.reason = cutMiddle(reason, maxReason);
    const offered = partsOf(request);
    const parts = shows(this.#hooks.content(toolCallId), offered) ? offered : [];
    if (parts.length > 0) permission.parts = parts.map(({ path, changes }) => ({ path, changes, refused: [] }));
    return new Promise((resolve) => {
      const withdraw = (): void => this.#withdraw(requestId, "Withdrawn by the agent");
      signal.addEventListener("abort", withdraw, { once: true });
      const pending: Pending = {
        permission,
        toolCallId,
        parts,
        settle: (response, decision) => {
          this.#remember(pending, response);
          signal.removeEventListener("abort", withdraw);
          this.#pending.delete(requestId);
          resolve(response);
          const next = this.of(toolCallId);
          this.#hooks.show(toolCallId, next ? { permission: next, decision } : { decision });
          this.#hooks.settled(requestId);
        },
      };
      this.#pending.set(requestId, pending);
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

  /** Refuses one of a request's changes, or accepts it again. */
  refuse(requestId: string, path: string, change: number, refused: boolean): void {
    const pending = this.#pending.get(requestId);
    const part = pending?.permission.parts?.find((one) => one.path === path);
    if (!pending || !part || change >= part.changes) return;
    const others = part.refused.filter((one) => one !== change);
    const next = { ...part, refused: refused ? [...others, change] : others };
    pending.permission = { ...pending.permission, parts: pending.permission.parts?.map((one) => (one === part ? next : one)) ?? [] };
    const shown = this.of(pending.toolCallId);
    if (shown) this.#hooks.show(pending.toolCallId, { permission: shown });
  }

  /**
   * Answers a request, without its refused changes. Returns false if it isn't pending, has no such
   * option, or if the option allows what was refused.
   */
  answer(requestId: string, optionId: string): boolean {
    const pending = this.#pending.get(requestId);
    const option = pending?.permission.options.find((o) => o.id === optionId);
    if (!pending || !option) return false;
    const { all, left } = countChanges(pending.permission);
    if (left === all || option.kind.startsWith("reject")) pending.settle({ outcome: { outcome: "selected", optionId } }, decision(option));
    else if (left === 0 || option.kind !== "allow_once") return false;
    else this.#allowPart(pending, optionId, `Allowed ${left} of ${all} changes`);
    return true;
  }

  /**
   * Shows which option was chosen in another client. The server withdraws the request at the
   * same time, or an answer from here came too late. If several requests about the call are
   * pending, it is unknown which one that was.
   */
  decidedElsewhere({ toolCallId, optionId, from, partial = false }: SharedDecision): void {
    const [pending, ...more] = [...this.#pending.values()].filter((one) => one.toolCallId === toolCallId);
    if (more.length > 0) return;
    const { permission, ...here }: Partial<Settled> = pending ?? this.#settled.get(toolCallId) ?? {};
    const option = permission?.options.find(({ id }) => id === optionId);
    if (!option || (option.id === here.chosen && partial === here.partial)) return;
    const elsewhere = decision(option, from, partial);
    if (pending) pending.settle(cancelled, elsewhere);
    else this.#hooks.show(toolCallId, { decision: elsewhere });
  }

  withdrawAll(words: string): void {
    for (const requestId of [...this.#pending.keys()]) this.#withdraw(requestId, words);
  }

  #allowPart({ permission, toolCallId, parts, settle }: Pending, optionId: string, words: string): void {
    if (!shows(this.#hooks.content(toolCallId), parts)) {
      settle(cancelled, { words: "Not allowed, because the change is another one now", refused: true });
      return;
    }
    const texts = parts.map((part) => ({
      path: part.path,
      newText: textWithout(part, permission.parts?.find(({ path }) => path === part.path)?.refused ?? []),
    }));
    settle({ outcome: { outcome: "selected", optionId }, _meta: { [acceptedMeta]: texts } }, { words, partly: true });
  }

  #remember({ toolCallId, permission }: Pending, { outcome, _meta: meta }: RequestPermissionResponse): void {
    const chosen = outcome.outcome === "selected" ? { chosen: outcome.optionId, partial: meta?.[acceptedMeta] !== undefined } : {};
    this.#settled.set(toolCallId, { permission, ...chosen });
    const [oldest] = this.#settled.keys();
    if (oldest !== undefined && this.#settled.size > mostSettled) this.#settled.delete(oldest);
  }

  #withdraw(requestId: string, words: string): void {
    this.#pending.get(requestId)?.settle(cancelled, { words });
  }
}

function decision(option: PermissionChoice, from = "", partial = false): Decided {
  return {
    words: decided(option, from, partial),
    ...(option.kind.startsWith("reject") ? { refused: true } : {}),
    ...(partial && option.kind === "allow_once" ? { partly: true } : {}),
  };
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
