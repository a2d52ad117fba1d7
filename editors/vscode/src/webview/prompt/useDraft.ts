/** The unsent text and attachments. They outlive the view. */
import { useContext, useState } from "preact/hooks";
import type { Attachment } from "../../shared/model.js";
import { changed, memoryOf, type Draft } from "../frame/memory.js";
import { ChatId } from "../chat/hooks.js";

export interface DraftControl extends Draft {
  setText: (text: string) => void;
  attach: (attachment: Attachment) => void;
  /** Returns the current attachments, not those of the last rendering. */
  attached: () => readonly Attachment[];
  detach: (index: number) => void;
  clear: () => void;
  /** Inserts a draft before the current one. */
  put: (draft: Draft) => void;
}

export function useDraft(): DraftControl {
  const chatId = useContext(ChatId);
  const memory = memoryOf(chatId);
  const [draft, show] = useState(memory.draft);

  // Read memory rather than the last rendering: several changes may come before
  // the next one.
  const set = (next: Partial<Draft>) => {
    memory.draft = { ...memory.draft, ...next };
    show(memory.draft);
    changed(chatId);
  };

  return {
    ...draft,
    setText: (text) => {
      const before = memory.draft;
      const attachments = before.attachments.filter((file) => !mentioned(before.text, file) || mentioned(text, file));
      set({ text, attachments });
    },
    attach: (attachment) => {
      const others = memory.draft.attachments.filter((other) => !same(other, attachment));
      set({ attachments: [...others, attachment] });
    },
    attached: () => memory.draft.attachments,
    detach: (index) => set({ attachments: memory.draft.attachments.filter((_, at) => at !== index) }),
    clear: () => set({ text: "", attachments: [] }),
    put: ({ text, attachments }) => {
      const { draft: typed } = memory;
      const others = typed.attachments.filter((other) => !attachments.some((one) => same(one, other)));
      set({ text: [text, typed.text].filter((part) => part.trim() !== "").join("\n\n"), attachments: [...attachments, ...others] });
    },
  };
}

/**
 * Whether the text still contains a mention: deleting its words removes the
 * attachment.
 */
function mentioned(text: string, attachment: Attachment): boolean {
  return text.includes(`@${attachment.label}`);
}

function same(a: Attachment, b: Attachment): boolean {
  return a.kind === b.kind && a.uri === b.uri && a.label === b.label && a.data === b.data;
}
