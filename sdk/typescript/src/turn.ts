// What a handler can do during a turn.

import type { Agent } from "./agent.js";
import type * as e from "./events.js";
import { Cancelled, type Wire } from "./wire.js";

/** The user's answer. If cancelled is true, it has no text. */
export interface Answer {
  text: string;
  choices: string[];
  values: Record<string, unknown>;
  cancelled: boolean;
  declined: boolean;
}

export type Question = Omit<e.QuestionEvent, "type" | "questionId" | "question" | "turnId">;
export type View = Pick<e.ToolStartEvent, "args" | "title" | "kind" | "locations" | "diffs">;
type Result = Partial<Omit<e.ToolEndEvent, "type" | "toolCallId" | "toolName" | "turnId">>;
/** The members of each event type in a union, without turnId. */
type Bare<E> = E extends { turnId?: string } ? Omit<E, "turnId"> : never;

/** A tool call. run starts and ends it. */
export class Tool {
  readonly id: string;
  #turn: Turn;
  #ended = false;

  constructor(turn: Turn, id: string, readonly name: string, readonly view: View) {
    this.#turn = turn;
    this.id = id;
  }

  /**
   * Runs the call. The return value of work is its result; if work throws, the
   * call fails and the error is thrown again.
   */
  async run<T extends string | Result | void>(work: (tool: this) => T | Promise<T>): Promise<T> {
    if (this.#ended) throw new Error("The call has ended: it was refused, or has run.");
    this.#turn.emit({ type: "tool_start", toolCallId: this.id, toolName: this.name, ...this.view });
    try {
      const result = await work(this);
      const cancelled = this.#turn.signal.aborted;
      this.end({ ok: !cancelled, ...(cancelled && { cancelled }), ...(typeof result === "string" ? { result } : result) });
      return result;
    } catch (error) {
      this.end({ ok: false, ...(this.#turn.signal.aborted || error instanceof Cancelled ? { cancelled: true } : { error: message(error) }) });
      throw error;
    }
  }

  /** Prints a piece of the call's output. */
  output(text: string): void {
    this.#turn.emit({ type: "tool_output", toolCallId: this.id, text });
  }

  /** Ends the call. Later calls of end have no effect. */
  end(result: Result & { ok: boolean }): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#turn.write({ type: "tool_end", toolCallId: this.id, toolName: this.name, ...result });
  }
}

/** A turn: lasts from a prompt until its handler is done. */
export class Turn {
  readonly text: (text: string) => void = (text) => this.emit({ type: "text_delta", text });
  readonly thinking: (text: string) => void = (text) => this.emit({ type: "thinking_delta", thinking: text });
  /** How the turn ends, unless it is cancelled or fails. */
  stopReason: e.StopReason = "end_turn";
  #wire: Wire;
  #over = false;

  constructor(readonly agent: Agent, wire: Wire, readonly command: e.PromptCommand, readonly signal: AbortSignal) {
    this.#wire = wire;
  }

  get prompt(): string {
    return this.command.text;
  }

  /**
   * The earlier conversation: only set for the first prompt, and with history:
   * true.
   */
  get history(): e.HistoryEntry[] {
    return this.command.history ?? [];
  }

  /** Returns the user's new messages during the turn, for the model's next request; needs steer: {}. */
  messages(): e.SteerCommand[] {
    const messages = this.#wire.steers.filter(({ turnId }) => turnId === this.command.turnId);
    this.#wire.steers = [];
    for (const { steerId } of messages) this.emit({ type: "steered", steerId });
    return messages;
  }

  /** Prints any event; docs/events.md lists them. Throws Cancelled once the turn is cancelled. */
  emit(event: Bare<Exclude<e.AgentEvent, e.AgentInfoEvent | e.DoneEvent | e.ErrorEvent>> | (Bare<e.ErrorEvent> & { fatal: false })): void {
    if (this.signal.aborted && !this.#over) throw new Cancelled();
    this.write(event);
  }

  /** Shows the user a notice that isn't part of the answer. */
  notice(message: string, severity: e.NoticeSeverity = "info"): void {
    this.emit({ type: "notice", message, severity });
  }

  /** Shows the current plan, which replaces the last one. */
  plan(entries: e.PlanEntry[]): void {
    this.emit({ type: "plan", entries });
  }

  /**
   * Stores a value. It becomes agent.state, and is restored when the session
   * continues later.
   */
  save(state: unknown): void {
    this.agent.state = state;
    this.emit({ type: "state", state });
  }

  /** Asks the user. */
  async ask(question: string, more: Question = {}): Promise<Answer> {
    const r = await this.#request<e.QuestionResponseCommand>("question_response", "questionId", { type: "question", question, ...more });
    return { text: r.answer, choices: r.answers ?? [], values: r.values ?? {}, cancelled: r.cancelled ?? false, declined: r.declined ?? false };
  }

  /** Returns a tool call, which run starts. */
  tool(name: string, view: View = {}): Tool {
    return new Tool(this, this.#wire.newId("call"), name, view);
  }

  /** Asks whether a tool may run. If not, its call has ended. */
  async confirm(tool: Tool, more: Pick<e.ToolConfirmationRequestEvent, "reason" | "options"> = {}): Promise<{ allowed: boolean; decision: e.Decision; optionId?: string }> {
    const event = { type: "tool_confirmation_request", toolCallId: tool.id, toolName: tool.name, ...tool.view, ...more };
    const { decision, optionId } = await this.#request<e.ToolConfirmationResponseCommand>("tool_confirmation_response", "confirmationId", event);
    const allowed = decision === "allow_once" || decision === "allow_always";
    if (!allowed) tool.end({ ok: false, cancelled: true });
    return { allowed, decision, optionId };
  }

  /** Makes the editor read or write a file, or run a command in a terminal. */
  editor(action: e.EditorAction, fields: Omit<e.EditorRequestEvent, "type" | "requestId" | "action"> = {}): Promise<e.EditorResponseCommand> {
    return this.#request<e.EditorResponseCommand>("editor_response", "requestId", { type: "editor_request", action, ...fields });
  }

  /** Resolves with the session: the editor, the folders, the MCP servers, Turnwire's tools. At EOF, it is undefined. */
  async session(): Promise<e.SessionCommand | undefined> {
    await this.agent.opened;
    return this.agent.session;
  }

  /** Resolves with the session's tools; needs tools: true. */
  async tools(): Promise<e.OfferedTool[]> {
    return (await this.session())?.tools ?? [];
  }

  /** Runs one of Turnwire's tools. limit is the maximal length of the result in characters. */
  callTool(name: string, args: Record<string, unknown> = {}, limit?: number): Promise<e.ToolResponseCommand> {
    return this.#request<e.ToolResponseCommand>("tool_response", "toolCallId", { type: "tool_request", toolName: name, args, limit });
  }

  /** Ends the turn. Only for Agent. */
  finish(event: object): void {
    this.write(event);
    this.#over = true;
  }

  write(event: object): void {
    if (this.#over) throw new Error("The turn is over: nothing can be said in it any more.");
    this.#wire.write({ ...event, turnId: this.command.turnId });
  }

  async #request<A extends { type: `${string}_response` }>(type: A["type"], key: string, event: object): Promise<A> {
    if (this.signal.aborted) throw new Cancelled();
    const id = this.#wire.newId(key);
    this.write({ ...event, [key]: id });
    return (await this.#wire.answer(type as never, id)) as unknown as A;
  }
}

export function message(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
