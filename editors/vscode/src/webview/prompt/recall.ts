/** Recalls earlier prompts, of this chat and others, like a shell. */
import { useRef } from "preact/hooks";
import { store } from "../chat/hooks.js";
import { sentPrompts } from "../frame/memory.js";

/**
 * Returns a function that maps a key to the text to show; it returns undefined if the key
 * does something else.
 */
export function useRecall(): (key: string, text: string) => string | undefined {
  const shown = useRef<{ texts: readonly string[]; at: number } | undefined>(undefined);
  return (key, text) => {
    const before = shown.current;
    const recalls = before !== undefined && before.texts[before.at] === text;
    if (key === "ArrowUp" && (recalls || text === "")) {
      const texts = recalls ? before.texts : earlier();
      const at = recalls ? Math.max(0, before.at - 1) : texts.length - 1;
      if (at < 0) return undefined;
      shown.current = { texts, at };
      return texts[at];
    }
    if (key !== "ArrowDown" || !recalls) return undefined;
    shown.current = { texts: before.texts, at: before.at + 1 };
    return before.texts[before.at + 1] ?? "";
  };
}

/** All prompts, the newest last. A chat's own may have been sent elsewhere. */
function earlier(): string[] {
  const own = store.all().flatMap((item) => (item.type === "user" && item.text !== "" ? [item.text] : []));
  return [...new Set([...sentPrompts(), ...own].reverse())].reverse();
}
