/** Tool calls: merges updates into them, and computes the smallest changes for the view. */
import type { ToolCall as WireCall, ToolCallUpdate, ToolKind } from "@agentclientprotocol/sdk";

import type { Change } from "../shared/messages.js";
import type { ToolCall, ToolContent, ToolStatus } from "../shared/model.js";
import { showContent, type Kept } from "./content.js";
import { cutMiddle } from "./cutText.js";
import { showJSON, showOutput } from "./rawOutput.js";
import { readDecision, type Decided } from "./permissionWords.js";
import { wholeScreen, type Screens } from "./terminalScreens.js";
import type { Times } from "./times.js";
import type { WholeTexts } from "./wholeTexts.js";

/**
 * The limit while the user may be asked about a call. It fits everything that Turnwire passes
 * on.
 */
const maxAsked = 1 << 20;
const maxKept = 32 << 10;

const parentMeta = "turnwire.dev/parentToolCallId";
const percentMeta = "turnwire.dev/percent";

/** Version 1 of the protocol can't unset a member, so null means "not given". */
export const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** Turnwire's `_meta`, and Zed's for terminal output. */
interface Meta {
  parent?: string;
  percent?: number;
  durationMs?: number;
  cancelled: boolean;
  decision?: Decided;
}

/**
 * Merges an update into a call by the rule of Turnwire's package internal/protocol/toolcall: a
 * member replaces the old one as a whole, null and empty texts change nothing, and `_meta` is
 * merged key by key, where null removes the key.
 */
export function mergeToolCall(
  old: ToolCall | undefined,
  update: WireCall | ToolCallUpdate,
  screens: Screens,
  { at, until }: Times,
  label?: (path: string) => string | undefined,
): ToolCall {
  const meta = readMeta(update._meta);
  const kept: Kept = { screens, cut: (index, text, limit) => screens.wholes.cut(wholePart(update.toolCallId, index), text, limit) };
  const { words: decision = old?.decision, refused = old?.refused, partly = old?.partly } = meta.decision ?? {};
  const kind: ToolKind = update.kind || old?.kind || "other";
  const removed = (key: string): boolean => update._meta?.[key] === null;
  const status = statusOf(old, update, meta, refused);
  const locations = update.locations ?? old?.locations ?? [];
  const lineOf = (path: string): number | undefined => locations.find((l) => l.path === path)?.line ?? undefined;
  const next: ToolCall = {
    type: "tool",
    id: update.toolCallId,
    title: update.title || old?.title || update.name || "Tool call",
    kind,
    status,
    // Before it was allowed, the call only waited.
    started: old && !(meta.decision && old.status === "pending") ? old.started : at,
    locations,
    input: cutMiddle(isGiven(update.rawInput) ? showJSON(update.rawInput) : (old?.input ?? ""), isOver(status) ? maxKept : maxAsked),
    content: update.content ? showContent(update.content, kind, kept, old?.content, label, lineOf) : (old?.content ?? []),
  };
  const name = update.name || old?.name;
  if (name) next.name = name;
  const parent = removed(parentMeta) ? undefined : (meta.parent ?? old?.parent);
  if (parent !== undefined && parent !== next.id) next.parent = parent;
  const before = removed(percentMeta) ? undefined : old?.progress;
  const progress = meta.percent === undefined ? before : Math.min(Math.max(meta.percent / 100, 0), 1);
  if (progress !== undefined && !isOver(status)) next.progress = progress;
  if (old?.permission) next.permission = old.permission;
  if (decision !== undefined) next.decision = decision;
  if (refused) next.refused = true;
  if (partly) next.partly = true;
  if (isOver(status)) {
    next.ended = old?.ended ?? Math.max(until, next.started);
    // The agent measures the duration more exactly.
    if (meta.durationMs !== undefined) next.started = next.ended - meta.durationMs;
    if (next.content.length === 0 && isGiven(update.rawOutput)) {
      next.content = [{ type: "text", text: kept.cut(0, showOutput(update.rawOutput), maxKept), markdown: false }];
    }
    next.content = withOutput(next.content, update.rawOutput, screens);
  }
  return next;
}

/** Shows the call's raw output instead of a terminal that is gone, because the chat was loaded again. */
function withOutput(content: ToolContent[], rawOutput: unknown, { wholes }: Screens): ToolContent[] {
  const output = typeof rawOutput === "object" && rawOutput !== null && "output" in rawOutput ? rawOutput.output : undefined;
  if (typeof output !== "string" || output === "") return content;
  return content.map((part) =>
    part.type === "terminal" && part.text === "" ? { ...part, text: wholes.cut(wholeScreen(part.terminalId), output, maxKept) } : part,
  );
}

/** The key of the whole text of a call's content. */
const wholePart = (toolCallId: string, index: number): string => `call ${index} ${toolCallId}`;

/** Returns the whole text of a call's content, or undefined if the content is no text. */
export function wholeText(call: ToolCall, index: number, wholes: WholeTexts): string | undefined {
  const part = call.content[index];
  switch (part?.type) {
    case "text":
      return wholes.get(wholePart(call.id, index)) ?? part.text;
    case "terminal":
      return wholes.get(wholeScreen(part.terminalId)) ?? part.text;
    default:
      return undefined;
  }
}

/** A finished call stays finished: an update may arrive late. */
function statusOf(old: ToolCall | undefined, update: WireCall | ToolCallUpdate, meta: Meta, refused: true | undefined): ToolStatus {
  const status = meta.cancelled ? "cancelled" : (update.status ?? old?.status ?? "pending");
  if (old && isOver(old.status) && !isOver(status)) return old.status;
  return endedAs({ refused }, status);
}

/** Agents report a rejected call as failed. It didn't fail, because it never ran. */
export function endedAs({ refused }: { refused?: true | undefined }, status: ToolStatus): ToolStatus {
  return refused && (status === "failed" || status === "cancelled") ? "rejected" : status;
}

export const isOver = (status: ToolStatus): boolean => status !== "pending" && status !== "in_progress";

function readMeta(meta: Record<string, unknown> | null | undefined): Meta {
  const text = (key: string): string | undefined => (typeof meta?.[key] === "string" ? meta[key] : undefined);
  const number = (key: string): number | undefined => {
    const value = meta?.[key];
    return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
  };
  const parent = text(parentMeta);
  const percent = number(percentMeta);
  const durationMs = number("turnwire.dev/durationMs");
  const decision = readDecision(meta?.["turnwire.dev/decision"]);
  return {
    ...(parent ? { parent } : {}),
    ...(percent === undefined ? {} : { percent }),
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(decision === undefined ? {} : { decision }),
    cancelled: meta?.["turnwire.dev/cancelled"] === true,
  };
}

/** Returns the changes that turn `old` into `next`: only the new parts, if they are smaller. */
export function changesOf(old: ToolCall | undefined, next: ToolCall): Change[] {
  if (!old || !sameButContent(old, next) || next.content.length < old.content.length) {
    return [{ type: "item", item: next }];
  }
  return contentChanges(old, next);
}

/** Returns the changes of calls that differ only in their content. */
function contentChanges(old: ToolCall, next: ToolCall): Change[] {
  const changes: Change[] = [];
  next.content.forEach((content, index) => {
    const before = old.content[index];
    if (before === content) return;
    const more = before && grown(before, content);
    if (more === "") return;
    changes.push(more ? { type: "output", id: next.id, index, text: more } : { type: "content", id: next.id, index, content });
  });
  return changes;
}

function sameButContent(a: ToolCall, b: ToolCall): boolean {
  const rest = ({ content: _, ...others }: ToolCall): string => JSON.stringify(others);
  return rest(a) === rest(b);
}

/** Returns the text appended to the old content; undefined if more than that changed. */
function grown(before: ToolContent, after: ToolContent): string | undefined {
  if (before.type === "text" && after.type === "text") {
    if (before.markdown !== after.markdown || !after.text.startsWith(before.text)) return undefined;
    return after.text.slice(before.text.length);
  }
  if (before.type === "terminal" && after.type === "terminal") {
    if (before.terminalId !== after.terminalId || !after.text.startsWith(before.text)) return undefined;
    if (before.exitCode !== after.exitCode || before.signal !== after.signal) return undefined;
    return after.text.slice(before.text.length);
  }
  return undefined;
}
