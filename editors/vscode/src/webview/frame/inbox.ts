/** The host's messages for the prompt. */
import type { ToView } from "../../shared/messages.js";
import type { Attachment } from "../../shared/model.js";
import type { Draft } from "./memory.js";

type FilesListener = (query: string, files: Attachment[]) => void;

const files = new Set<FilesListener>();
const attachments = new Set<(attachment: Attachment) => void>();
const focus = new Set<() => void>();
const drafts = new Set<(draft: Draft) => void>();
/** What arrived before the prompt existed. */
let unclaimed: Attachment[] = [];
let focusWanted = false;

export function deliver(message: ToView): void {
  switch (message.type) {
    case "files":
      for (const listener of files) listener(message.query, message.files);
      break;
    case "attach":
      if (attachments.size === 0) unclaimed.push(message.attachment);
      for (const listener of attachments) listener(message.attachment);
      break;
    case "draft":
      toPrompt(message);
      break;
    case "focus":
      focusWanted = focus.size === 0;
      for (const listener of focus) listener();
  }
}

export function onFiles(listener: FilesListener): () => void {
  files.add(listener);
  return () => files.delete(listener);
}

export function onAttach(listener: (attachment: Attachment) => void): () => void {
  attachments.add(listener);
  for (const attachment of unclaimed) listener(attachment);
  unclaimed = [];
  return () => attachments.delete(listener);
}

/** Puts a draft into the prompt for editing. */
export function toPrompt(draft: Draft): void {
  for (const listener of drafts) listener(draft);
}

export function onDraft(listener: (draft: Draft) => void): () => void {
  drafts.add(listener);
  return () => drafts.delete(listener);
}

export function onFocus(listener: () => void): () => void {
  focus.add(listener);
  if (focusWanted) listener();
  focusWanted = false;
  return () => focus.delete(listener);
}
