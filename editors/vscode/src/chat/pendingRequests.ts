/**
 * Everything that waits for the user: permissions, which appear in their tool
 * calls, and questions and logins, which are separate items.
 */
import type { CreateElicitationRequest, CreateElicitationResponse, RequestPermissionRequest, RequestPermissionResponse } from "@agentclientprotocol/sdk";

import type { Editor } from "./editor.js";
import { Logins } from "./logins.js";
import { Permissions, splitRequest } from "./permissions.js";
import { Questions } from "./questions.js";
import type { Transcript } from "./transcript.js";
import type { Updates } from "./updates.js";
import { WaitingTimes } from "./waitingTimes.js";

export class PendingRequests {
  readonly permissions: Permissions;
  readonly questions: Questions;
  readonly logins: Logins;
  readonly #transcript: Transcript;
  readonly #updates: Updates;
  readonly #waitingTimes: WaitingTimes;

  constructor(chatId: string, transcript: Transcript, updates: Updates, editor: Pick<Editor, "asked" | "settled">, now: () => number) {
    const waitingTimes = new WaitingTimes(now);
    this.#waitingTimes = waitingTimes;
    this.#transcript = transcript;
    this.#updates = updates;
    this.permissions = new Permissions({
      show: (id, change) => {
        const call = transcript.find("tool", id);
        if (!call) return;
        const { permission: _, refused: __, partly: ___, ...rest } = call;
        const { permission, decision: { words, ...how } = {} } = change;
        transcript.put(waitingTimes.counted(call, { ...rest, ...(permission ? { permission } : {}), ...(words === undefined ? {} : { decision: words }), ...how }));
      },
      asked: (id, permission) => {
        const call = transcript.find("tool", id);
        if (call) editor.asked({ id: permission.requestId, chatId, type: "permission", call, permission });
      },
      settled: (id) => editor.settled(id),
      content: (id) => transcript.find("tool", id)?.content ?? [],
    });
    this.questions = new Questions({
      show: (question) => transcript.put(question),
      asked: (question) => editor.asked({ id: question.id, chatId, type: "question", question }),
      settled: (id) => editor.settled(id),
      // Unique across chats, so that an answer can't reach another chat's
      // question.
      id: () => transcript.id(`question:${chatId}`),
    });
    updates.pastQuestion = (form, answer) => this.questions.past(form, answer);
    this.logins = new Logins({
      show: (login) => transcript.put(login),
      asked: (login) => editor.asked({ id: login.id, chatId, type: "login", login }),
      settled: (id) => editor.settled(id),
      id: () => transcript.id(`login:${chatId}`),
    });
  }

  /** The number of requests that wait for the user. */
  get waiting(): number {
    return this.permissions.waiting + this.questions.waiting + this.logins.waiting;
  }

  permission(request: RequestPermissionRequest, signal: AbortSignal): Promise<RequestPermissionResponse> {
    const id = request.toolCall.toolCallId;
    const { reason, toolCall } = splitRequest(request, this.#transcript.find("tool", id));
    this.#updates.toolCall(toolCall);
    // If another kind of item has this id, the request can't be shown, so
    // nobody could decide.
    if (!this.#transcript.find("tool", id)) return Promise.resolve({ outcome: { outcome: "cancelled" } });
    return this.permissions.ask(request, reason, signal);
  }

  question(request: CreateElicitationRequest, signal: AbortSignal): Promise<CreateElicitationResponse> {
    return this.questions.ask(request, signal);
  }

  /**
   * Marks the calls whose answers are not sent yet, and the last `questions`
   * questions that were answered, and no others.
   */
  markUnsent(toolCallIds: ReadonlySet<string>, questions: number): void {
    const ids = new Set([...toolCallIds, ...this.questions.lastAnswered(questions)]);
    for (const item of this.#transcript.items) {
      if ((item.type !== "tool" && item.type !== "question") || ids.has(item.id) === (item.unsent ?? false)) continue;
      const { unsent, ...rest } = item;
      const next = unsent ? rest : { ...rest, unsent: true as const };
      this.#transcript.put(item.type === "tool" && next.type === "tool" ? this.#waitingTimes.counted(item, next) : next);
    }
  }

  /** Corrects the decisions on calls whose answers were replaced by refusals. */
  markRefused(toolCallIds: ReadonlySet<string>): void {
    for (const id of toolCallIds) {
      const call = this.#transcript.find("tool", id);
      if (!call) continue;
      const { partly: _, ...rest } = call;
      this.#transcript.put({ ...rest, decision: "Cancelled" });
    }
  }

  withdrawAll(words: string): void {
    this.permissions.withdrawAll(words);
    this.questions.withdrawAll(words);
    this.logins.withdrawAll(words);
  }
}
