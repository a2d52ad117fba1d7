/** Content in separate blocks: pictures, links, files. */
import type { ContentBlock } from "@agentclientprotocol/sdk";
import { useMemo } from "preact/hooks";
import { post } from "../frame/host.js";
import type { IconName } from "../frame/icons.js";
import { Icon, Label } from "../frame/components.js";
import { isPicture, linkTarget } from "../markdown/links.js";
import { Markdown } from "../markdown/Markdown.js";
import { Lines } from "../text/lines.js";
import { Output } from "../text/Output.js";

export function Block({ block }: { block: ContentBlock }) {
  switch (block.type) {
    case "text":
      return <Markdown text={block.text} />;
    case "image": {
      const source = `data:${block.mimeType};base64,${block.data}`;
      if (isPicture(source)) return <img class="picture" src={source} alt="Image from the agent" />;
      return <Chip icon="picture" label={`Unsupported image (${block.mimeType})`} />;
    }
    case "audio":
      return <Chip icon="file" label={`Sound (${block.mimeType})`} />;
    case "resource_link":
      return <ResourceLink name={block.title ?? block.name} uri={block.uri} />;
    case "resource":
      if ("text" in block.resource) {
        return (
          <figure class="resource">
            <ResourceLink name={lastPart(block.resource.uri)} uri={block.resource.uri} />
            <EmbeddedText text={block.resource.text} />
          </figure>
        );
      }
      return <ResourceLink name={lastPart(block.resource.uri)} uri={block.resource.uri} />;
    default:
      return <Chip icon="file" label="Unsupported content" />;
  }
}

function EmbeddedText({ text }: { text: string }) {
  const lines = useMemo(() => new Lines(text), [text]);
  return <Output text={text} lines={lines} live={false} label="File content" />;
}

/** A link. The host opens files in the workspace, and web addresses if the user agrees. */
function ResourceLink({ name, uri }: { name: string; uri: string }) {
  const open = opener(uri);
  if (!open) return <Chip icon="file" label={`${name} (${uri.slice(0, 200)})`} />;
  return (
    <button type="button" class="chip" title={uri} onClick={open}>
      <Icon name="file" />
      <Label text={name} />
    </button>
  );
}

function opener(uri: string): (() => void) | undefined {
  if (/^file:\/\/\//i.test(uri)) {
    try {
      const path = decodeURIComponent(uri.slice("file://".length).replace(/[#?].*$/, ""));
      return () => post({ type: "openFile", path });
    } catch {
      return undefined;
    }
  }
  const target = linkTarget(uri);
  return target?.kind === "web" ? () => post({ type: "openLink", href: target.href }) : undefined;
}

function lastPart(uri: string): string {
  return uri.split("/").findLast((part) => part !== "") ?? uri;
}

export function Chip({ icon, label }: { icon: IconName; label: string }) {
  return (
    <span class="chip">
      <Icon name={icon} />
      <Label text={label} />
    </span>
  );
}
