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

export function QueueView({ queue, running }: { queue: Queue; running: boolean }) {
  const { prompts, held } = queue;
  if (prompts.length === 0) return null;
  const state = held === undefined ? "Sent when the turn ends" : `Paused: ${reasons[held]}. ${running ? "Choose what to send." : "Press Enter to continue."}`;
  return (
    <section class={`queue ${held === undefined ? "" : "held"}`} aria-label="Queued prompts">
      <p class="queue-state" role="status">
        <Icon name={held === undefined ? "queue" : "warning"} />
        {state}
      </p>
      <ol>
        {prompts.map((prompt) => <Queued key={prompt.id} prompt={prompt} running={running} />)}
      </ol>
    </section>
  );
}

function Queued({ prompt, running }: { prompt: QueuedPrompt; running: boolean }) {
  const { id, text, attachments } = prompt;
  const words = text.trim() || attachments.map(({ label }) => label).join(", ");
  const name = visibleLine(words.slice(0, mostText));
  const more = text.trim() !== "" && attachments.length > 0 ? attachments.length : 0;
  return (
    <li class="queued">
      <span class="queued-text" title={name}><Label text={words.slice(0, mostText)} /></span>
      {more > 0 && <span class="badge" title={attachments.map(({ label }) => visibleLine(label)).join("\n")}>+{more}</span>}
      <button
        type="button"
        class="link"
        title={running ? "Cancel the turn, then send this" : "Send this"}
        aria-label={`Send now: ${name}`}
        onClick={() => post({ type: "sendQueued", id })}
      >
        Send now
      </button>
      <IconButton icon="edit" label={`Edit: ${name}`} onClick={() => post({ type: "editQueued", id })} />
      <IconButton icon="close" label={`Remove: ${name}`} onClick={() => post({ type: "removeQueued", id })} />
    </li>
  );
}
