/**
 * Converts a prompt's attachments to content blocks.
 *
 * A selection is sent as its current text. So is a small text file, if the agent
 * accepts that; other files are sent as links.
 */
import type { ContentBlock } from "@agentclientprotocol/sdk";

import type { Attachment } from "../shared/model.js";
import type { Editor } from "./editor.js";
import { boundedBlock } from "./content.js";
import type { Paths } from "./machine.js";

const maxEmbedded = 256 << 10;
const imageData = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/]+={0,2})$/;

export interface Accepts {
  image: boolean;
  embedded: boolean;
}

/** Formats paths for display. */
export interface Label {
  /** Returns undefined if no folder contains it. */
  of(path: string): string | undefined;
  /** Converts a file: URI; throws if it belongs to another system. */
  ofURL(url: URL): string;
}

/** Converts a prompt to content blocks. Throws an error with a message for the user if something can't be sent. */
export async function toBlocks(
  { text, attachments }: { text: string; attachments: readonly Attachment[] },
  accepts: Accepts,
  editor: Pick<Editor, "folders" | "readTextFile">,
  paths: Paths,
): Promise<ContentBlock[]> {
  const attached = await Promise.all(attachments.map((a) => toBlock(a, accepts, editor, paths)));
  return text.trim() === "" ? attached : [{ type: "text", text }, ...attached];
}

async function toBlock(
  attachment: Attachment,
  accepts: Accepts,
  editor: Pick<Editor, "folders" | "readTextFile">,
  paths: Paths,
): Promise<ContentBlock> {
  if (attachment.kind === "image") return toImage(attachment, accepts);
  const { path, lines } = parse(attachment, paths);
  // The view is not trusted: it displays what the agent sends, so check its paths.
  if (!(await paths.isInside(path, editor.folders()))) {
    throw new Error(`${attachment.label} is outside the workspace folders.`);
  }
  const { uri } = attachment;
  const link: ContentBlock = { type: "resource_link", name: attachment.label, uri: lines ? uri : paths.toURL(path) };
  if (!accepts.embedded) return link;
  const whole = await editor.readTextFile(path).catch(() => undefined);
  // Send a link to a missing or non-text file: the agent may be able to use it.
  if (whole === undefined) return link;
  const text = lines ? whole.split(/(?<=\n)/).slice(lines.first - 1, lines.last).join("") : whole;
  if (text.length > maxEmbedded || text.includes("\0")) return link;
  return { type: "resource", resource: { uri, text, mimeType: "text/plain" } };
}

function toImage({ label, data = "" }: Attachment, accepts: Accepts): ContentBlock {
  if (!accepts.image) throw new Error(`This agent does not accept images, so ${label} was not sent.`);
  const [, mimeType, base64] = imageData.exec(data) ?? [];
  if (!mimeType || !base64) throw new Error(`${label} is not a supported image.`);
  return { type: "image", mimeType, data: base64 };
}

/** Converts a replayed block back to attachments; text blocks have none. */
export function fromBlock(sent: ContentBlock, label: Label): Attachment[] {
  const block = boundedBlock(sent);
  switch (block.type) {
    case "resource_link":
      return [{ kind: "file", label: block.name, uri: block.uri }];
    case "image":
      return [{ kind: "image", label: "image", uri: block.uri ?? "", data: `data:${block.mimeType};base64,${block.data}` }];
    case "resource": {
      const { uri } = block.resource;
      const lines = /#L(\d+)(?:-L(\d+))?$/.exec(uri);
      return [{ kind: lines ? "selection" : "file", label: nameOf(uri, label) + (lines ? `:${lines[1]}${lines[2] ? `-${lines[2]}` : ""}` : ""), uri }];
    }
    default:
      return [];
  }
}

function nameOf(uri: string, label: Label): string {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  if (url?.protocol !== "file:" || url.host !== "") return uri;
  try {
    return label.ofURL(new URL(url.pathname, "file://"));
  } catch {
    return uri; // from another system
  }
}

/** Parses a file: URI; a `#L3-L9` suffix means lines 3 to 9. */
function parse({ uri, label }: Attachment, paths: Paths): { path: string; lines?: { first: number; last: number } } {
  let url: URL;
  let path: string;
  try {
    url = new URL(uri);
    if (url.protocol !== "file:") throw new Error();
    path = paths.ofURL(new URL(url.pathname, "file://"));
  } catch {
    throw new Error(`${label} cannot be sent: ${uri} is not a file.`);
  }
  const [, first, last] = /^#L(\d+)(?:-L(\d+))?$/.exec(url.hash) ?? [];
  return first ? { path, lines: { first: Number(first), last: Number(last ?? first) } } : { path };
}
