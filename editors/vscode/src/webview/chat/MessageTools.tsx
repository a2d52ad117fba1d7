/** Actions for a message. None of them removes anything from the chat. */
import { useEffect, useState } from "preact/hooks";
import type { AgentMessage, UserMessage } from "../../shared/model.js";
import { post } from "../frame/host.js";
import { toPrompt } from "../frame/inbox.js";
import { IconButton } from "../frame/components.js";

const thanks = 1500; // milliseconds that a button shows its result

export function UserTools({ item }: { item: UserMessage }) {
  const { id, text, attachments } = item;
  return (
    <div class="message-tools">
      {text !== "" && <Copy text={text} />}
      <IconButton icon="edit" label="Edit and send again" onClick={() => toPrompt({ text, attachments })} />
      <IconButton icon="retry" label="Send again" onClick={() => post({ type: "retry", id })} />
    </div>
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
