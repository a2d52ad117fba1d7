/** Completes commands and mentions while they are typed. */
import { useLayoutEffect, useState } from "preact/hooks";
import type { Attachment, Command } from "../../shared/model.js";
import { post } from "../frame/host.js";
import { attachmentIcons } from "../chat/Messages.js";
import { onFiles } from "../frame/inbox.js";
import { matching, typedAt, type Typed } from "./completion.js";
import type { Entry } from "./ListBox.js";

const mostEntries = 100;

export interface Completion {
  typed: Typed | undefined;
  entries: Entry[];
  /** Returns the file or selection behind a mention entry. */
  attachment: (entry: Entry) => Attachment | undefined;
  /** Looks for something to complete before the caret. */
  look: (text: string, caret: number) => void;
  close: () => void;
}

export function useCompletion(commands: readonly Command[]): Completion {
  const [typed, setTyped] = useState<Typed>();
  const [files, setFiles] = useState<{ query: string; files: Attachment[] }>({ query: "", files: [] });

  useLayoutEffect(() => onFiles((query, found) => setFiles({ query, files: found })), []);

  const look = (text: string, caret: number) => {
    const now = typedAt(text, caret);
    if (now?.kind === "mention" && (typed?.kind !== "mention" || typed.query !== now.query)) {
      post({ type: "findFiles", query: now.query });
    }
    setTyped(now);
  };

  const found = typed?.kind === "mention" ? files.files : [];
  const entries: Entry[] =
    typed?.kind === "command"
      ? matching(commands, (command) => command.name, typed.query).map(fromCommand)
      : found.map((file, index) => ({ id: String(index), name: file.label, path: true, icon: attachmentIcons[file.kind] ?? "file" }));

  return {
    typed: entries.length > 0 ? typed : undefined,
    entries: entries.slice(0, mostEntries),
    attachment: (entry) => found[Number(entry.id)],
    look,
    close: () => setTyped(undefined),
  };
}

function fromCommand({ name, description, hint }: Command): Entry {
  return { id: name, name: `/${name}${hint ? ` ${hint}` : ""}`, detail: description };
}
