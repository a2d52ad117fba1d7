/**
 * The content of a tool call, as the protocol has it and as the chat shows it.
 */
import type { ContentBlock, ToolCallContent, ToolKind } from "@agentclientprotocol/sdk";

import type { ToolContent } from "../shared/model.js";
import { isTraceback } from "../shared/traceback.js";
import { cutMiddle } from "./cut.js";
import { makeDiff } from "./diff.js";
import type { Screens } from "./screens.js";

const maxText = 128 << 10;
/** As base64: larger pictures cost more than they show. */
const maxBlob = 8 << 20;
const maxContents = 200;

/** Converts content; what is as it was before stays the same object. */
export function showContent(
  content: readonly ToolCallContent[],
  kind: ToolKind,
  screens: Screens,
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
        return same ? old : makeDiff(item.path, oldText, item.newText, label?.(item.path), lineOf?.(item.path));
      }
      case "terminal":
        return { type: "terminal", terminalId: item.terminalId, ...screens.get(item.terminalId) };
      case "content":
        return showBlock(item.content, kind, old);
    }
  });
}

function showBlock(block: ContentBlock, kind: ToolKind, old: ToolContent | undefined): ToolContent {
  if (block.type !== "text") return { type: "block", block: boundedBlock(block) };
  const text = cutMiddle(block.text, maxText);
  const markdown = isMarkdown(block.text, kind);
  const same = old?.type === "text" && old.text === text && old.markdown === markdown;
  return same ? old : { type: "text", text, markdown };
}

/**
 * Most agents send what a tool printed as it is. It is Markdown where an agent
 * thinks or answers, or where it fences what it sends.
 */
function isMarkdown(text: string, kind: ToolKind): boolean {
  return text.startsWith("```") || (kind === "think" && !isTraceback(text));
}

/** A block without data that is too large to be shown. */
export function boundedBlock(block: ContentBlock): ContentBlock {
  switch (block.type) {
    case "text":
      return block.text.length <= maxText ? block : { ...block, text: cutMiddle(block.text, maxText) };
    case "image":
    case "audio":
      if (block.data.length <= maxBlob) return block;
      return { type: "text", text: `[${block.type} of ${Math.round(block.data.length / 1e6)} MB, too large to be shown]` };
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
