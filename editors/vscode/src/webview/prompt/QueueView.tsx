/** The queued prompts, above the current one. */
import type { Queue, QueuedPrompt } from "../../shared/model.js";
import { topics } from "../chat/store.js";
import { store, useTopic } from "../chat/hooks.js";
import { post } from "../frame/host.js";
import { Icon, IconButton, Label } from "../frame/components.js";
import { visibleLine } from "../text/visible.js";

export function useQueue(): Queue {
  useTopic(topics.queue);
  return store.queue;
}

const reasons: Record<NonNullable<Queue["held"]>, string> = {
  cancelled: "the turn was cancelled",
  failed: "the turn failed",
  stopped: "the agent stopped early",
  left: "the chat was interrupted",
};

/** The part of a prompt that fits on a chip. */
const mostText = 200;

export function QueueView({ queue, running, steers }: { queue: Queue; running: boolean; steers: boolean }) {
  const { prompts, held } = queue;
  if (prompts.length === 0) return null;
  const state = held === undefined ? "Sent when the turn ends" : `Paused: ${reasons[held]}. ${running ? "Choose what to send." : "Press Send to continue."}`;
  return (
    <section class={`queue ${held === undefined ? "" : "held"}`} aria-label="Queued prompts">
      <p class="queue-state" role="status">
        <Icon name={held === undefined ? "queue" : "warning"} />
        {state}
      </p>
      <ol>
        {prompts.map((prompt) => <Queued key={prompt.id} prompt={prompt} how={running ? (steers ? "steer" : "cancel") : "send"} />)}
      </ol>
    </section>
  );
}

/** What sending a prompt now does. */
const hows = {
  steer: "Send this to the agent during its turn, without stopping it",
  cancel: "Cancel the turn, then send this",
  send: "Send this",
};

function Queued({ prompt, how }: { prompt: QueuedPrompt; how: keyof typeof hows }) {
  const { id, text, attachments, sending } = prompt;
  const words = text.trim() || attachments.map(({ label }) => label).join(", ");
  const name = visibleLine(words.slice(0, mostText));
  const more = text.trim() !== "" && attachments.length > 0 ? attachments.length : 0;
  return (
    <li class="queued">
      <span class="queued-text" title={name}><Label text={words.slice(0, mostText)} /></span>
      {more > 0 && <span class="badge" title={attachments.map(({ label }) => visibleLine(label)).join("\n")}>+{more}</span>}
      {sending ? (
        <span class="sending" role="status" title="The agent reads it between two steps. If the turn ends first, it is sent as the next prompt.">Sent, not read yet</span>
      ) : (
        <button type="button" class="link" title={hows[how]} aria-label={`${how === "cancel" ? "Cancel and send" : "Send now"}: ${name}`} onClick={() => post({ type: "sendQueued", id })}>
          {how === "cancel" ? "Cancel and send" : "Send now"}
        </button>
      )}
      {!sending && <IconButton icon="edit" label={`Edit: ${name}`} onClick={() => post({ type: "editQueued", id })} />}
      {!sending && <IconButton icon="close" label={`Remove: ${name}`} onClick={() => post({ type: "removeQueued", id })} />}
    </li>
  );
}
