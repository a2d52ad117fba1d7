/**
 * Applies the agent's updates to the chat.
 *
 * Updates may be late, repeated or useless; none of them is an error. A message continues
 * as long as only other messages and thoughts come in between: text after a tool call
 * appears below it.
 */
import type {
  AvailableCommand,
  CompactionUpdate,
  ContentBlock,
  ContentChunk,
  SessionConfigOption,
  SessionUpdate,
  StopReason,
  ToolCall as WireCall,
  ToolCallUpdate,
  UsageUpdate,
} from "@agentclientprotocol/sdk";

import type { Change } from "../shared/messages.js";
import type { AgentMessage, Fix, Notice, ToolCall } from "../shared/model.js";
import { newId } from "../shared/newId.js";
import { fromBlock, type Label } from "./attachments.js";
import { boundedBlock } from "./content.js";
import { cursorMeta, Cursors } from "./cursors.js";
import { cutMiddle } from "./cutText.js";
import { Screens } from "./terminalScreens.js";
import { steersIn } from "./steeringReader.js";
import type { Times } from "./times.js";
import { changesOf, endedAs, isGiven, isOver, mergeToolCall } from "./toolCalls.js";
import type { Transcript } from "./transcript.js";
import { stopReasons, type Prompt } from "./turn.js";

const maxBlocks = 100;
const maxPlan = 500;
const maxText = 128 << 10;

/** The parts of an update that change the session rather than the chat's items. */
export interface SessionFacts {
  title(title: string): void;
  commands(commands: readonly AvailableCommand[]): void;
  configOptions(options: readonly SessionConfigOption[]): void;
  mode(id: string): void;
  usage(usage: UsageUpdate): void;
  /** `undefined` if the update doesn't say so. */
  steers(steers: boolean | undefined): void;
}

type Speech = "user" | "message" | "thought";

export class Updates {
  readonly screens: Screens;
  readonly cursors: Cursors;
  /** Whether other clients share the session. Their messages arrive as they are sent. */
  shared = false;
  /** Called with each changed call. */
  seen: (call: ToolCall) => void = () => {};
  /** Called with a replayed question. */
  pastQuestion: (form: unknown, answer: unknown) => void = () => {};
  /** Called when a replayed turn has ended. */
  replayedTurn: () => void = () => {};
  readonly #transcript: Transcript;
  readonly #facts: SessionFacts;
  readonly #now: () => number;
  readonly #label: Label;
  /**
   * Messages that may continue: the protocol's message id, if there is one, and the
   * item's id.
   */
  #open: { type: Speech; messageId: string | undefined; id: string }[] = [];
  #plan: string | undefined;
  /** Which calls show a terminal. */
  readonly #shownBy = new Map<string, Set<string>>();
  /** Raw output of running calls. It is shown when they end, if they have no content then. */
  readonly #rawOutputs = new Map<string, unknown>();
  /** No turn is running: later updates don't continue anything. */
  #over = true;
  /** While an old session is replayed: the time of the last update, or when the replay began if that is unknown. */
  #replayed: number | undefined;

  constructor(transcript: Transcript, facts: SessionFacts, now: () => number, label: Label) {
    this.#transcript = transcript;
    this.screens = new Screens(transcript.wholes);
    this.cursors = new Cursors(transcript);
    this.#facts = facts;
    this.#now = now;
    this.#label = label;
  }

  /**
   * Starts or ends a replay, which includes the user's messages. Without the updates'
   * times, durations are 0. `running` means that the last replayed turn is still running.
   */
  replay(on: boolean, running = false): void {
    if (!on && !running) {
      this.turnEnds("ended");
      this.replayedTurn();
    }
    this.#replayed = on ? this.#now() : undefined;
    if (on) this.#over = false;
  }

  #time(): number {
    return this.#replayed ?? this.#now();
  }

  /** `times` are those of a replayed update, if known. */
  apply(update: SessionUpdate, times?: Times): void {
    if (!times || this.#replayed === undefined) return this.#apply(update);
    this.#replayed = times.at;
    this.#apply(update, times.until);
    this.#replayed = times.until;
  }

  #apply(update: SessionUpdate, until?: number): void {
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        return this.#speak("message", update);
      case "agent_thought_chunk":
        return this.#speak("thought", update);
      case "user_message_chunk":
        if (this.#replayed !== undefined || this.shared) this.#speak("user", update);
        return;
      case "tool_call":
      case "tool_call_update":
        return this.toolCall(update, until);
      case "plan":
        this.#plan ??= this.#newItem("plan");
        return this.#transcript.put({ type: "plan", id: this.#plan, entries: update.entries.slice(0, maxPlan), ...(this.#over ? { over: true } : {}) });
      case "notice":
        this.notice(update.severity, update.title, update.description ?? undefined);
        return;
      case "compaction_update":
        return this.#compaction(update);
      case "compaction_summary_chunk":
        return this.#summary(update.compactionId, update.content);
      case "available_commands_update":
        return this.#facts.commands(update.availableCommands);
      case "config_option_update":
        return this.#facts.configOptions(update.configOptions);
      case "current_mode_update":
        return this.#facts.mode(update.currentModeId);
      case "session_info_update":
        if (update.title) this.#facts.title(update.title);
        this.#facts.steers(steersIn(update));
        if (update._meta?.[cursorMeta] !== undefined) return this.cursors.update(update._meta[cursorMeta]);
        return this.pastStop(update._meta?.["turnwire.dev/stopReason"]);
      case "usage_update":
        return this.#facts.usage(update);
    }
  }

  /** Starts a turn: earlier messages don't continue. */
  turnBegins(): void {
    this.#cut();
    this.#over = false;
  }

  /** Shows the user's own message that starts a turn; returns its id for the agent. */
  prompted({ text, attachments }: Prompt): string {
    const [id, message] = [this.#transcript.id("user"), newId()];
    this.#transcript.put({ type: "user", id, text, attachments });
    this.cursors.userSays(id, message);
    return message;
  }

  /** Shows the user's own message in the middle of the turn. */
  userSays({ text, attachments }: Prompt): void {
    this.#cut();
    this.#transcript.put({ type: "user", id: this.#transcript.id("user"), text, attachments });
  }

  #cut(): void {
    this.#endThoughts();
    const plan = this.#plan === undefined ? undefined : this.#transcript.find("plan", this.#plan);
    if (plan?.entries.some((entry) => entry.status === "in_progress")) this.#transcript.put({ ...plan, over: true });
    this.#open = [];
    this.#plan = undefined;
  }

  /** Ends everything that is still running when the turn ends. */
  turnEnds(how: "ended" | "cancelled" | "failed"): void {
    this.#cut();
    this.#over = true;
    this.#rawOutputs.clear();
    for (const item of this.#transcript.items) {
      if (item.type !== "tool" || isOver(item.status)) continue;
      this.#transcript.put(this.#ended(item, how));
    }
  }

  /** Shows how a replayed turn ended, if it didn't end normally. */
  pastStop(reason: unknown, failure?: string): void {
    if (failure !== undefined) this.notice("error", failure);
    if (this.#replayed === undefined || typeof reason !== "string") return;
    this.turnEnds(reason === "cancelled" ? "cancelled" : "ended");
    this.#over = false;
    const warning = Object.hasOwn(stopReasons, reason) ? stopReasons[reason as StopReason] : undefined;
    if (reason === "cancelled") this.cancelled();
    else if (warning) this.notice("warning", warning);
  }

  /** Shows that the user cancelled the turn above. */
  cancelled(): void {
    this.#transcript.put({ type: "notice", id: this.#newItem("notice"), severity: "info", title: "Cancelled", quiet: true });
  }

  #ended(call: ToolCall, how: "ended" | "cancelled" | "failed"): ToolCall {
    // If the agent reports that it is done, but not how this call ended, the call didn't
    // fail.
    const done = call.status === "in_progress" ? "completed" : "cancelled";
    const { progress: _, ...rest } = call;
    // A call that was cut off with its turn didn't fail itself.
    const status = how === "ended" ? done : how === "failed" ? "interrupted" : how;
    return { ...rest, status: endedAs(call, status), ended: Math.max(this.#time(), call.started) };
  }

  /** Shows a notice; returns its id. */
  notice(severity: string, title: string, description?: string, { retry, fixes = [] }: { retry?: boolean; fixes?: readonly Fix[] } = {}): string {
    const id = this.#newItem("notice");
    this.#transcript.put({
      type: "notice",
      id,
      severity: severity === "error" || severity === "warning" ? severity : "info",
      title,
      ...(description ? { description } : {}),
      ...(retry ? { retry } : {}),
      ...(fixes.length > 0 ? { fixes: [...fixes] } : {}),
    });
    return id;
  }

  /** A replayed update may combine several: `until` is the time of the last one. */
  toolCall(update: WireCall | ToolCallUpdate, until?: number): void {
    const question = record(update._meta?.["turnwire.dev/question"]);
    if (question) {
      if (question["answer"] !== undefined && this.#replayed !== undefined) this.pastQuestion(question["form"], question["answer"]);
      if (question["own"] === true) return;
    }
    this.#terminalMeta(update);
    this.cursors.agentSays(update.toolCallId);
    const old = this.#transcript.find("tool", update.toolCallId);
    if (!old) {
      if (this.#transcript.get(update.toolCallId)) return; // the id belongs to another item
      this.#endThoughts();
      this.#open = [];
    }
    const rawOutput = update.rawOutput ?? this.#rawOutputs.get(update.toolCallId);
    const merged = mergeToolCall(old, { ...update, rawOutput }, this.screens, { at: this.#time(), until: until ?? this.#time() }, this.#label.of);
    const next = this.#over && !isOver(merged.status) ? this.#ended(merged, "ended") : merged;
    if (isOver(next.status)) this.#rawOutputs.delete(next.id);
    else if (isGiven(rawOutput)) this.#rawOutputs.set(next.id, rawOutput);
    for (const { terminalId } of next.content.filter((c) => c.type === "terminal")) {
      this.#shownBy.set(terminalId, (this.#shownBy.get(terminalId) ?? new Set()).add(next.id));
    }
    this.changeToolCall(old, next);
    this.seen(next);
  }

  changeToolCall(old: ToolCall | undefined, next: ToolCall): void {
    const changes = changesOf(old, next);
    if (changes.length === 1 && changes[0]?.type === "item") this.#transcript.put(next);
    else this.#transcript.patch(next, changes);
  }

  /** Appends output of a terminal that runs here. */
  print(terminalId: string, text: string): void {
    const grows = this.screens.print(terminalId, text);
    this.#showScreen(terminalId, grows ? text : undefined);
  }

  exit(terminalId: string, exitCode?: number | null, signal?: string | null): void {
    this.screens.exit(terminalId, exitCode, signal);
    this.#showScreen(terminalId);
  }

  /** Handles Zed's extension: the agent runs the terminal and reports it in `_meta`. */
  #terminalMeta({ _meta: meta }: WireCall | ToolCallUpdate): void {
    const output = record(meta?.["terminal_output"]);
    if (typeof output?.["terminal_id"] === "string" && typeof output["data"] === "string") {
      this.print(output["terminal_id"], output["data"]);
    }
    const exit = record(meta?.["terminal_exit"]);
    if (typeof exit?.["terminal_id"] === "string") {
      const { exit_code: code, signal } = exit;
      this.exit(exit["terminal_id"], typeof code === "number" ? code : null, typeof signal === "string" ? signal : null);
    }
  }

  /** Shows a terminal's output: only the new part if it is known, otherwise all of it. */
  #showScreen(terminalId: string, more?: string): void {
    const screen = this.screens.get(terminalId);
    for (const id of this.#shownBy.get(terminalId) ?? []) {
      const item = this.#transcript.find("tool", id);
      if (!item) continue;
      const changes: Change[] = [];
      const content = item.content.map((old, index) => {
        if (old.type !== "terminal" || old.terminalId !== terminalId) return old;
        const next = { ...old, ...screen };
        changes.push(more === undefined ? { type: "content", id, index, content: next } : { type: "output", id, index, text: more });
        return next;
      });
      this.#transcript.patch({ ...item, content }, changes);
    }
  }

  #speak(type: Speech, { content, messageId }: ContentChunk): void {
    if (type === "message" && content.type === "text" && content.text.trim() !== "") this.#endWithBlock(messageId ?? undefined);
    const id = this.#speaker(type, messageId ?? undefined);
    if (type !== "user") this.cursors.agentSays(messageId ?? undefined);
    if (content.type === "text" && type !== "user") return this.#transcript.append(id, content.text);
    const item = this.#transcript.get(id);
    if (item?.type === "user") {
      const text = content.type === "text" ? content.text : "";
      const attachments = [...item.attachments, ...fromBlock(content, this.#label)].slice(0, maxBlocks);
      this.#transcript.put({ ...item, text: cutMiddle(item.text + text, maxText), attachments });
    } else if (item?.type === "message" && item.blocks.length < maxBlocks) {
      this.#transcript.put({ ...item, blocks: [...item.blocks, boundedBlock(content)] } satisfies AgentMessage);
    }
  }

  /** Text after an image begins another item, so that the image keeps its place. */
  #endWithBlock(messageId: string | undefined): void {
    this.#open = this.#open.filter((open) => {
      if (open.type !== "message" || open.messageId !== messageId) return true;
      return this.#transcript.find("message", open.id)?.blocks.length === 0;
    });
  }

  /** Returns the item that a chunk continues, or a new one. */
  #speaker(type: Speech, messageId: string | undefined): string {
    const last = this.#open.at(-1);
    const same =
      messageId === undefined
        ? last?.type === type && last.messageId === undefined && last
        : this.#open.find((o) => o.type === type && o.messageId === messageId);
    if (same) return same.id;
    const now = this.#time();
    if (type === "user" && this.#replayed !== undefined) this.replayedTurn();
    if (type === "user") this.#cut();
    this.#endThoughts();
    const id = this.#transcript.id(type);
    this.#open.push({ type, messageId, id });
    if (type === "thought") this.#transcript.put({ type, id, text: "", started: now, ...(this.#over ? { ended: now } : {}) });
    else if (type === "message") this.#transcript.put({ type, id, text: "", blocks: [] });
    else {
      this.#transcript.put({ type, id, text: "", attachments: [] });
      this.cursors.userSays(id, messageId);
    }
    return id;
  }

  #endThoughts(): void {
    for (const { type, id } of this.#open) {
      const thought = type === "thought" ? this.#transcript.find("thought", id) : undefined;
      if (thought && thought.ended === undefined) this.#transcript.put({ ...thought, ended: Math.max(this.#time(), thought.started) });
    }
  }

  #newItem(prefix: string): string {
    this.#endThoughts();
    this.#open = [];
    return this.#transcript.id(prefix);
  }

  #compaction({ compactionId, status, summary, error }: CompactionUpdate): void {
    const id = `compaction:${compactionId}`;
    const old = this.#transcript.find("notice", id);
    const text = summary ? summary.map((b) => (b.type === "text" ? b.text : "")).join("") : old?.description;
    const description = [text, error].filter(Boolean).join("\n\n");
    this.#putCompaction(id, compactionTitles[status] ?? compactionTitles["in_progress"]!, status === "failed", description);
  }

  #summary(compactionId: string, content: ContentBlock): void {
    const old = this.#transcript.find("notice", `compaction:${compactionId}`);
    if (!old || content.type !== "text") return;
    this.#transcript.put({ ...old, description: cutMiddle((old.description ?? "") + content.text, maxText) });
  }

  #putCompaction(id: string, title: string, failed: boolean, description: string): void {
    const known = this.#transcript.get(id);
    if (known && known.type !== "notice") return;
    if (!known) this.#newItem("compaction");
    const notice: Notice = { type: "notice", id, severity: failed ? "error" : "info", title };
    this.#transcript.put(description ? { ...notice, description } : notice);
  }
}

const compactionTitles: Record<string, string> = {
  in_progress: "Compacting the conversation",
  completed: "The conversation was compacted",
  failed: "The conversation could not be compacted",
  cancelled: "Compacting was cancelled",
};

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
}
