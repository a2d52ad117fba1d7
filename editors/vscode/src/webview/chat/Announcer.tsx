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
    say(running ? "Working" : `Done. ${lastMessage()}`);
  }, [running]);

  return (
    <>
      <div class="unseen" role="status" aria-live="polite">{said}</div>
      <div class="unseen" role="alert"><Asked /></div>
    </>
  );
}

function lastMessage(): string {
  const id = store.chunks.findLast((one) => store.item(one)?.type === "message");
  const item = id === undefined ? undefined : store.item(id);
  return item?.type === "message" ? prose(item.text, longest) : "";
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
