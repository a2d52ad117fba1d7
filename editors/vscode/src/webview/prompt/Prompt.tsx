/** The prompt: its text, its attachments, and the agent's options below. */
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Attachment, Session } from "../../shared/model.js";
import { returnFocus } from "../chat/keys.js";
import { AttachmentChip } from "../chat/Messages.js";
import { post } from "../frame/host.js";
import { onAttach, onDraft, onFocus } from "../frame/inbox.js";
import { isWritten, rememberPrompt, type Draft } from "../frame/memory.js";
import { Icon, IconButton, Spinner } from "../frame/components.js";
import { visibleLine } from "../text/visible.js";
import { AgentPicker } from "./AgentPicker.js";
import { completed } from "./completion.js";
import { entryId, ListBox, moved, type Entry } from "./ListBox.js";
import { Options } from "./Options.js";
import { PictureButton, Refused } from "./PictureParts.js";
import { QueueView, useQueue } from "./QueueView.js";
import { useCompletion } from "./useCompletion.js";
import { useDraft } from "./useDraft.js";
import { usePictures } from "./usePictures.js";
import { useRecall } from "./recall.js";
import { UsageView } from "./UsageView.js";

export function Prompt({ session }: { session: Session }) {
  const draft = useDraft();
  const field = useRef<HTMLTextAreaElement>(null);
  const completion = useCompletion(session.commands);
  const [active, setActive] = useState(0);
  const listId = useId();
  const running = session.status === "running" || session.status === "cancelling";
  const queue = useQueue();
  const written = isWritten(draft);
  /** Enter in an empty prompt continues a paused queue. */
  const resumes = !written && !running && queue.held !== undefined;
  const starting = session.status === "starting";
  const offline = session.offline === true;
  const canSend = !offline && (written || resumes);
  /** What the user sent while the agent was starting. */
  const [entered, setEntered] = useState<Draft>();
  const waits = entered !== undefined && entered.text === draft.text && entered.attachments === draft.attachments;

  useLayoutEffect(() => onFocus(() => field.current?.focus()), []);
  useLayoutEffect(() => onDraft((given) => {
    draft.put(given);
    field.current?.focus();
  }), []);
  useLayoutEffect(() => onAttach((attachment) => draft.attach(attachment)), []);
  useEffect(() => setActive(0), [completion.typed?.kind, completion.typed?.query]);
  useLayoutEffect(() => {
    const area = field.current;
    if (!area) return;
    area.style.height = "auto";
    area.style.height = `${area.scrollHeight}px`;
  }, [draft.text]);

  const look = () => {
    const area = field.current;
    if (area) completion.look(area.value, area.selectionStart);
  };

  const write = (text: string, caret: number) => {
    const area = field.current;
    if (!area) return;
    draft.setText(text);
    area.value = text;
    area.setSelectionRange(caret, caret);
    area.focus();
    completion.look(text, caret);
  };

  const pick = (entry: Entry | undefined) => {
    const { typed } = completion;
    if (!typed || !entry) return;
    const attachment = typed.kind === "mention" ? completion.attachment(entry) : undefined;
    const by = typed.kind === "command" ? `/${entry.id}` : `@${attachment?.label ?? ""}`;
    const { text, caret } = completed(draft.text, typed, by);
    write(text, caret);
    if (attachment) draft.attach(attachment);
    completion.close();
  };

  const send = () => {
    if (!canSend) return;
    if (starting) return setEntered({ text: draft.text, attachments: draft.attachments });
    if (resumes) return post({ type: "resumeQueue" });
    post({ type: "prompt", text: draft.text, attachments: draft.attachments });
    rememberPrompt(draft.text);
    draft.clear();
    completion.close();
    returnFocus();
  };

  useEffect(() => {
    if (starting || !entered) return;
    setEntered(undefined);
    if (waits && session.status !== "failed") send();
  }, [session.status]);

  const recall = useRecall();

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const { typed, entries } = completion;
    const plain = !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey;
    const recalled = plain && !typed && draft.attachments.length === 0 ? recall(event.key, draft.text) : undefined;
    // Enter sends a command that was typed to its end.
    const complete = typed?.kind === "command" && draft.text === `/${typed.query}` && active === 0 && entries.some(({ id }) => id === typed.query);
    const next = typed && !event.shiftKey ? moved(event.key, active, entries.length) : undefined;
    if (typed && event.key === "Escape") completion.close();
    else if (recalled !== undefined) draft.setText(recalled);
    else if (typed && (event.key === "Tab" || (event.key === "Enter" && !event.shiftKey && !complete))) pick(entries[active]);
    else if (next !== undefined && event.key !== "Home" && event.key !== "End") setActive(next);
    else if (event.key === "Enter" && !event.shiftKey && !event.altKey) send();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  /** Types a `/` or an `@`, for users who look for a button. */
  const begin = (sign: "@" | "/") => {
    const at = sign === "/" ? 0 : (field.current?.selectionStart ?? draft.text.length);
    const before = draft.text.slice(0, at);
    const inserted = sign === "@" && /\S$/.test(before) ? " @" : sign;
    write(before + inserted + draft.text.slice(at), at + inserted.length);
  };

  const agent = visibleLine(session.agentName ?? session.agent);
  const pictures = usePictures({
    refusal: session.accepts.image ? undefined : `${agent} does not accept images.`,
    attached: draft.attached,
    attach: draft.attach,
  });

  const { typed, entries } = completion;
  return (
    <div class="prompt">
      {typed && (
        <ListBox
          id={listId}
          label={typed.kind === "command" ? "Commands" : "Files"}
          entries={entries}
          active={active}
          onPick={pick}
          onActive={setActive}
        />
      )}
      <QueueView queue={queue} running={running} steers={session.steers === true} />
      <div class={`prompt-box ${pictures.dragged ? "dragged" : ""}`}>
        <Refused pictures={pictures} />
        <Attached attachments={draft.attachments} detach={draft.detach} />
        <textarea
          ref={field}
          rows={1}
          dir="auto"
          value={draft.text}
          placeholder={offline ? "Offline: nothing can be sent" : starting ? "Starting…" : `Message ${agent}`}
          aria-label={`Message ${agent}`}
          aria-autocomplete="list"
          aria-controls={typed ? listId : undefined}
          aria-activedescendant={typed ? entryId(listId, active) : undefined}
          onInput={(event) => {
            draft.setText(event.currentTarget.value);
            look();
          }}
          onClick={look}
          onKeyUp={(event) => (event.key === "ArrowLeft" || event.key === "ArrowRight") && look()}
          onBlur={() => completion.close()}
          onKeyDown={onKeyDown}
          onPaste={pictures.paste}
        />
        <div class="prompt-bar">
          <IconButton icon="at" label="Mention a file" onClick={() => begin("@")} />
          {session.commands.length > 0 && <IconButton icon="slash" label="Commands" onClick={() => begin("/")} />}
          {session.accepts.image && <PictureButton pictures={pictures} />}
          <AgentPicker session={session} />
          <Options options={session.options} disabled={starting} />
          <div class="prompt-end">
            {session.usage && <UsageView usage={session.usage} />}
            {running && <CancelButton cancelling={session.status === "cancelling"} />}
            {running && written && (
              <button type="button" class="send" title="Queue; sent when the turn ends (Enter)" aria-label="Queue" onClick={send}>
                <Icon name="queue" />
              </button>
            )}
            {!running && (
              <button
                type="button"
                class="send"
                title={waits ? "Sent when the agent is ready" : "Send (Enter)"}
                aria-label="Send"
                disabled={!canSend || waits}
                onClick={send}
              >
                {waits ? <Spinner /> : <Icon name="send" />}
              </button>
            )}
          </div>
        </div>
      </div>
    </div>
  );
}

function CancelButton({ cancelling }: { cancelling: boolean }) {
  return (
    <button type="button" class="send stop" title="Cancel (Escape)" aria-label="Cancel" disabled={cancelling} onClick={() => post({ type: "cancel" })}>
      {cancelling ? <Spinner /> : <Icon name="stop" />}
    </button>
  );
}

function Attached({ attachments, detach }: { attachments: readonly Attachment[]; detach: (index: number) => void }) {
  if (attachments.length === 0) return null;
  return (
    <ul class="chips" aria-label="Attachments">
      {attachments.map((attachment, index) => (
        <li key={index} class="attached">
          <AttachmentChip attachment={attachment} />
          <IconButton icon="close" label={`Remove ${visibleLine(attachment.label)}`} onClick={() => detach(index)} />
        </li>
      ))}
    </ul>
  );
}
