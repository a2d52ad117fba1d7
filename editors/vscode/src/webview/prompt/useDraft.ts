/** What is typed and attached but not sent. It outlives the view. */
import { useContext, useState } from "preact/hooks";
import type { Attachment } from "../../shared/model.js";
import { changed, memoryOf, type Draft } from "../frame/memory.js";
import { ChatId } from "../chat/use.js";

export interface DraftControl extends Draft {
  setText: (text: string) => void;
  attach: (attachment: Attachment) => void;
  /** What is attached by now, and not when it was drawn. */
  attached: () => readonly Attachment[];
  detach: (index: number) => void;
  clear: () => void;
  /** Puts something before what is there. */
  put: (draft: Draft) => void;
}

export function useDraft(): DraftControl {
  const chatId = useContext(ChatId);
  const memory = memoryOf(chatId);
  const [draft, show] = useState(memory.draft);

  // Read from memory and not from the last rendering: several changes may come before the next one.
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

/** Whether a mention stands in the text: it goes when its words are deleted. */
function mentioned(text: string, attachment: Attachment): boolean {
  return text.includes(`@${attachment.label}`);
}

function same(a: Attachment, b: Attachment): boolean {
  return a.kind === b.kind && a.uri === b.uri && a.label === b.label && a.data === b.data;
}
