/** Actions for a message. None of them removes anything from the chat. */
import { useEffect, useState } from "preact/hooks";
import type { AgentMessage, UserMessage } from "../../shared/model.js";
import { post } from "../frame/host.js";
import { store, useTopic } from "./hooks.js";
import { topics } from "./store.js";
import { toPrompt } from "../frame/inbox.js";
import { IconButton } from "../frame/components.js";

const thanks = 1500; // milliseconds that a button shows its result

export function UserTools({ item }: { item: UserMessage }) {
  const { id, text, attachments } = item;
  return (
    <div class="message-tools">
      {text !== "" && <Copy text={text} />}
      {item.cursor === undefined
        ? <IconButton icon="edit" label="Edit and send again" onClick={() => toPrompt({ text, attachments })} />
        : <Rewind id={id} />}
      <IconButton icon="retry" label="Send again" onClick={() => post({ type: "retry", id })} />
    </div>
  );
}

/** Goes on from before the message in a new chat. This chat stays as it is. */
function Rewind({ id }: { id: string }) {
  useTopic(topics.changes);
  return (
    <>
      <IconButton icon="edit" label="Edit and go on from here" onClick={() => post({ type: "rewind", id, undo: false })} />
      {store.changesSince(id) && <IconButton icon="undo" label="Edit and go on from here, and undo the later changes" onClick={() => post({ type: "rewind", id, undo: true })} />}
    </>
  );
}

export function AgentTools({ item }: { item: AgentMessage }) {
  if (item.text === "") return null;
  return (
    <div class="message-tools">
      <Copy text={item.text} />
    </div>
  );
}

function Copy({ text }: { text: string }) {
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return undefined;
    const timer = setTimeout(() => setDone(false), thanks);
    return () => clearTimeout(timer);
  }, [done]);
  const copy = () => {
    post({ type: "copy", text });
    setDone(true);
  };
  return <IconButton icon={done ? "check" : "copy"} label="Copy as Markdown" class={done ? "done" : ""} onClick={copy} />;
}
