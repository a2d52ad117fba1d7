/** Converts a tool call's content from the protocol to the model. */
import type { ContentBlock, ToolCallContent, ToolKind } from "@agentclientprotocol/sdk";

import type { ToolContent } from "../shared/model.js";
import { isTraceback } from "../shared/traceback.js";
import { cutMiddle } from "./cutText.js";
import { makeDiff } from "./diff.js";
import type { Screens } from "./terminalScreens.js";

const maxText = 128 << 10;
/** In base64 characters. Larger images cost more than they are worth. */
const maxBlob = 8 << 20;
const maxContents = 200;

export interface Kept {
  screens: Screens;
  /** Cuts a long text of the content at an index, and keeps the whole. */
  cut(index: number, text: string, limit: number): string;
}

/** Converts content. Unchanged parts stay the same objects. */
export function showContent(
  content: readonly ToolCallContent[],
  kind: ToolKind,
  { screens, cut }: Kept,
  before: readonly ToolContent[] = [],
  label?: (path: string) => string | undefined,
  lineOf?: (path: string) => number | undefined,
): ToolContent[] {
  return content.slice(0, maxContents).map((item, i) => {
    const old = before[i];
    switch (item.type) {
      case "diff": {
        const oldText = item.oldText ?? undefined;
        const same = old?.type === "diff" && old.path === item.path && old.newText === item.newText && old.oldText === oldText;
        return same ? old : makeDiff(item.path, oldText, item.newText, label?.(item.path), { start: lineOf?.(item.path), part: partOf(item) });
      }
      case "terminal":
        return { type: "terminal", terminalId: item.terminalId, ...screens.get(item.terminalId) };
      case "content":
        return showBlock(item.content, kind, old, (text) => cut(i, text, maxText));
    }
  });
}

function partOf(diff: { _meta?: Record<string, unknown> | null }): number | undefined {
  const line = diff._meta?.["turnwire.dev/line"];
  return typeof line === "number" && Number.isSafeInteger(line) && line > 0 ? line : undefined;
}

function showBlock(block: ContentBlock, kind: ToolKind, old: ToolContent | undefined, cut: (text: string) => string): ToolContent {
  if (block.type !== "text") return { type: "block", block: boundedBlock(block) };
  const text = cut(block.text);
  const markdown = isMarkdown(block.text, kind);
  const same = old?.type === "text" && old.text === text && old.markdown === markdown;
  return same ? old : { type: "text", text, markdown };
}

/**
 * Reports whether text is Markdown. Most agents send tool output unchanged, so
 * text is Markdown only if it starts with a fence, or if the call's kind is
 * "think".
 */
function isMarkdown(text: string, kind: ToolKind): boolean {
  return text.startsWith("```") || (kind === "think" && !isTraceback(text));
}

/** Cuts or drops a block's data if it is too large to show. */
export function boundedBlock(block: ContentBlock): ContentBlock {
  switch (block.type) {
    case "text":
      return block.text.length <= maxText ? block : { ...block, text: cutMiddle(block.text, maxText) };
    case "image":
    case "audio":
      if (block.data.length <= maxBlob) return block;
      return { type: "text", text: `[${block.type} of ${Math.round(block.data.length / 1e6)} MB, too large to show]` };
    case "resource": {
      const { resource } = block;
      if ("text" in resource) {
        return { ...block, resource: { ...resource, text: cutMiddle(resource.text, maxText) } };
      }
      return resource.blob.length <= maxBlob ? block : { type: "resource_link", name: resource.uri, uri: resource.uri };
    }
    case "resource_link":
      return block;
  }
}
