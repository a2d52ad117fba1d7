/** Messages: the user's, the agent's, its thoughts, and notices about the turn. */
import type { AgentMessage, Attachment, Notice, Plan, Thought, UserMessage } from "../../shared/model.js";
import { roughly } from "../frame/format.js";
import { post } from "../frame/host.js";
import type { IconName } from "../frame/icons.js";
import { Disclosure, Elapsed, Icon, Label, Spinner } from "../frame/components.js";
import { isPicture } from "../markdown/links.js";
import { Markdown } from "../markdown/Markdown.js";
import { visible } from "../text/visible.js";
import { Block } from "./Blocks.js";
import { Description } from "./Description.js";
import { PathName } from "./PathName.js";
import { Fixes } from "./Fixes.js";
import { AgentTools, UserTools } from "./MessageTools.js";
import { useExpanded } from "./hooks.js";

export function UserView({ item }: { item: UserMessage }) {
  return (
    <div class="user">
      {item.text !== "" && <div class="user-text" dir="auto">{visible(item.text)}</div>}
      {item.attachments.length > 0 && (
        <div class="chips">
          {item.attachments.map((attachment, index) => <AttachmentChip key={index} attachment={attachment} />)}
        </div>
      )}
      <UserTools item={item} />
    </div>
  );
}

export const attachmentIcons: Record<Attachment["kind"], IconName> = { file: "file", selection: "selection", image: "picture" };

export function AttachmentChip({ attachment }: { attachment: Attachment }) {
  const { kind, label, data } = attachment;
  if (kind === "image" && data && isPicture(data)) return <img class="picture small" src={data} alt={visible(label)} />;
  return (
    <span class="chip" title={visible(label)}>
      <Icon name={attachmentIcons[kind] ?? "file"} />
      {kind === "image" ? <Label text={label} /> : <PathName path={label} />}
    </span>
  );
}

export function AgentView({ item }: { item: AgentMessage }) {
  return (
    <div class="agent">
      {item.text !== "" && <Markdown text={item.text} />}
      {item.blocks.map((block, index) => <Block key={index} block={block} />)}
      <AgentTools item={item} />
    </div>
  );
}

export function ThoughtView({ item }: { item: Thought }) {
  const [open, toggle] = useExpanded(item.id, false);
  const thinks = item.ended === undefined;
  return (
    <div class="thought">
      <Disclosure open={open} toggle={toggle} class={thinks ? "thinks" : ""}>
        {item.ended === item.started
          ? <span>Thought</span> // replayed: the duration is unknown
          : <span>{thinks ? "Thinking " : "Thought for "}<Elapsed started={item.started} ended={item.ended} format={roughly} /></span>}
      </Disclosure>
      {open && <div class="thought-text"><Markdown text={item.text} /></div>}
    </div>
  );
}

const steps = { pending: "waiting", in_progress: "in progress", completed: "done" } as const;

export function PlanView({ item }: { item: Plan }) {
  const [open, toggle] = useExpanded(item.id, true);
  const done = item.entries.filter((entry) => entry.status === "completed").length;
  return (
    <div class="card plan">
      <button type="button" class="card-head" aria-expanded={open} onClick={toggle}>
        <Icon name="plan" class="kind" />
        <span class="card-title">Plan</span>
        <span class="facts">{done} of {item.entries.length}</span>
      </button>
      {open && <PlanSteps item={item} />}
    </div>
  );
}

export function PlanSteps({ item }: { item: Plan }) {
  return (
    <ol class="card-body steps">
      {item.entries.map((entry, index) => (
        <li key={index} class={`step ${item.over && entry.status === "in_progress" ? "pending" : entry.status}`}>
          {entry.status === "in_progress" && !item.over ? <Spinner /> : <Icon name={entry.status === "completed" ? "check" : "circle"} />}
          <span class="step-text"><Label text={entry.content} /></span>
          {entry.priority === "high" && <span class="badge">high</span>}
          <span class="unseen">{item.over && entry.status === "in_progress" ? "not finished" : (steps[entry.status] ?? entry.status)}</span>
        </li>
      ))}
    </ol>
  );
}

export function NoticeView({ item }: { item: Notice }) {
  if (item.quiet) return <p class="turn-end">{visible(item.title)}</p>;
  return (
    <div class={`notice ${item.severity}`}>
      <Icon name={item.severity} />
      <div class="notice-text">
        <p class="notice-title" dir="auto">{visible(item.title)}</p>
        {item.description && <Description text={item.description} />}
        {(item.retry || item.fixes) && <div class="buttons">
          {item.retry && <button type="button" class="button secondary" onClick={() => post({ type: "retry" })}>
            <Icon name="retry" />
            Try again
          </button>}
          {item.fixes && <Fixes fixes={item.fixes} />}
        </div>}
      </div>
    </div>
  );
}
