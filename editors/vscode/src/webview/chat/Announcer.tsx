/**
 * Announces what happens to screen readers, in whole messages.
 *
 * The stream itself is silent, because its pieces would be noise. Pending
 * requests interrupt; everything else waits.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { prose } from "../markdown/prose.js";
import { visible, visibleLine } from "../text/visible.js";
import { topics } from "./store.js";
import { store, useSession, useTopic } from "./hooks.js";

const longest = 2000;

export function Announcer() {
  const session = useSession();
  const [said, say] = useState("");
  const running = session?.status === "running" || session?.status === "cancelling";
  const was = useRef(running);

  useEffect(() => {
    if (running === was.current) return;
    was.current = running;
    say(running ? "Working" : outcome());
  }, [running]);

  return (
    <>
      <div class="unseen" role="status" aria-live="polite">{said}</div>
      <div class="unseen" role="alert"><Asked /></div>
    </>
  );
}

/** What the turn said last, or why it failed. */
function outcome(): string {
  const id = store.tree.list().findLast((one) => {
    const item = store.item(one);
    return item?.type === "user" || item?.type === "message" || (item?.type === "notice" && item.severity === "error");
  });
  const last = id === undefined ? undefined : store.item(id);
  if (last?.type === "notice") return `Failed. ${visibleLine(last.title)} ${visible(last.description ?? "")}`.trim();
  return `Done. ${last?.type === "message" ? prose(last.text, longest) : ""}`;
}

/** Describes the pending requests. */
function Asked() {
  useTopic(topics.asks);
  for (const id of store.asking) {
    const item = store.item(id);
    if (item?.type === "question") return <>Question: {sentence(visible(item.message))} Press Alt+Enter to go to it.</>;
    if (item?.type === "login") return <>Login required: {sentence(visible(item.message))} Press Alt+Enter to go to it.</>;
    if (item?.type === "tool") return <>Permission needed: {sentence(visibleLine(item.title))} Press Alt+Enter to go to it.</>;
  }
  return null;
}

const sentence = (text: string): string => (/[.!?]\s*$/.test(text) ? text : `${text}.`);
