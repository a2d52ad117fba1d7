/** A tool call: a line with its title and state, and its details below. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { ToolKind } from "@agentclientprotocol/sdk";
import { cutMark } from "../../shared/cut.js";
import type { ToolCall, ToolContent } from "../../shared/model.js";
import { post } from "../frame/host.js";
import type { IconName } from "../frame/icons.js";
import { Elapsed, Icon, Label, Spinner } from "../frame/components.js";
import { Markdown } from "../markdown/Markdown.js";
import { Output } from "../text/Output.js";
import { Arguments } from "./Arguments.js";
import { Block } from "./Blocks.js";
import { Counts, Diff } from "./Diff.js";
import { PathName } from "./PathName.js";
import { choiceOf } from "./parts.js";
import { PermissionView } from "./Permission.js";
import { useHeldOpen } from "./reading.js";
import { repeats } from "./repeats.js";
import { readInput } from "./shownInput.js";
import { Title } from "./Title.js";
import { decisionOf, hasDuration, stateOf } from "./toolStates.js";
import { store, useExpanded } from "./hooks.js";

const kinds: Record<ToolKind, IconName> = {
  read: "file",
  edit: "edit",
  delete: "trash",
  move: "move",
  search: "search",
  execute: "terminal",
  think: "think",
  fetch: "cloud",
  switch_mode: "switch",
  other: "tool",
};

/** Reports whether the call should open by itself. A sub-agent's folds when it is done. */
function speaksUp(tool: ToolCall): boolean {
  return tool.status === "failed" || tool.status === "in_progress" || tool.content.some((content) => content.type === "diff") || wasTyped(tool);
}

/** Reports whether the user's prompt contains the command: then its output is the answer. */
function wasTyped(tool: ToolCall): boolean {
  if (tool.kind !== "execute") return false;
  const { command } = readInput(tool);
  return command !== undefined && command.trim() !== "" && store.promptOf(tool.id).includes(command.trim());
}

export function Tool({ tool, children }: { tool: ToolCall; children: ComponentChildren }) {
  const [chosen, toggle] = useExpanded(tool.id, useHeldOpen(tool.id, speaksUp(tool) || (children !== undefined && tool.status === "pending")));
  const asks = tool.permission !== undefined;
  const open = chosen || store.asks(tool.id); // the user must see what they consent to
  const state = stateOf(tool);
  const decision = decisionOf(tool);
  const twice = useMemo(() => repeats(tool.content, state.word), [tool.content, state.word]);
  // When the card closes by itself, the focus must not get lost with its content.
  const head = useRef<HTMLButtonElement>(null);
  const focusWithin = head.current?.nextElementSibling?.contains(document.activeElement);
  useLayoutEffect(() => {
    if (!open && focusWithin) head.current?.focus();
  }, [open]);
  return (
    <div class={`card tool ${tool.status} ${asks ? "asks" : ""}`}>
      <button type="button" class="card-head" aria-expanded={open} onClick={toggle} ref={head}>
        <Icon name={kinds[tool.kind] ?? "tool"} class="kind" />
        <span class="card-title">
          <Title tool={tool} />
        </span>
        <Changes content={tool.content} />
        <span class="facts">
          {decision && <span class="decision"><Label text={decision} /></span>}
          <Progress tool={tool} />
          <span class="time">
            <Duration tool={tool} />
          </span>
        </span>
        <span class="state" title={state.word}>
          <span class={state.spoken ? "state-word" : "unseen"}>{state.word}</span>
          {state.icon ? <Icon name={state.icon} /> : <Spinner />}
        </span>
      </button>
      {tool.partly && !tool.unsent && (
        <p class="partly">
          <Label text={tool.decision ?? ""} />
        </p>
      )}
      {open && (
        <div class="card-body">
          <Arguments tool={tool}>
            {children}
            {tool.content.map((content, index) => (
              !twice.has(index) && <Content key={index} content={content} tool={tool} index={index} />
            ))}
          </Arguments>
          <Locations tool={tool} />
        </div>
      )}
      {tool.permission && <PermissionView key={tool.permission.requestId} permission={tool.permission} tool={tool} />}
      {tool.unsent && (
        <p class="unsent" role="status">
          <Label text={tool.decision ?? "Answered"} /> · not sent yet
        </p>
      )}
    </div>
  );
}

function Duration({ tool }: { tool: ToolCall }) {
  if (!hasDuration(tool)) return null;
  return <Elapsed started={tool.started} ended={tool.ended} />;
}

function Progress({ tool }: { tool: ToolCall }) {
  if (tool.progress === undefined || tool.status !== "in_progress") return null;
  const percent = Math.round(Math.min(1, Math.max(0, tool.progress)) * 100);
  return <progress max={100} value={percent} aria-label={`${percent} percent done`} />;
}

function Changes({ content }: { content: ToolContent[] }) {
  const diffs = content.filter((part) => part.type === "diff");
  if (diffs.length === 0) return null;
  const sum = (of: (diff: (typeof diffs)[number]) => number) => diffs.reduce((total, diff) => total + of(diff), 0);
  return <Counts added={sum((diff) => diff.added)} removed={sum((diff) => diff.removed)} />;
}

function Content({ content, tool, index }: { content: ToolContent; tool: ToolCall; index: number }) {
  switch (content.type) {
    case "text":
      if (content.text === "") return null;
      if (content.markdown) return <Markdown text={content.text} />;
      return (
        <>
          <Output text={content.text} lines={store.lines(tool.id, index)} live={tool.status === "in_progress"} label="Output" />
          <OpenWhole text={content.text} tool={tool} index={index} />
        </>
      );
    case "block":
      return <Block block={content.block} />;
    case "diff":
      return <Diff diff={content} toolCallId={tool.id} index={index} choice={tool.permission && choiceOf(tool.permission, content.path)} />;
    case "terminal":
      return (
        <>
          {content.text !== "" && (
            <Output text={content.text} lines={store.lines(tool.id, index)} live={tool.status === "in_progress"} label="Terminal output" />
          )}
          <OpenWhole text={content.text} tool={tool} index={index} />
          <Ending exitCode={content.exitCode} signal={content.signal} />
        </>
      );
  }
}

/** Opens an output of which the chat shows only a part. */
function OpenWhole({ text, tool, index }: { text: string; tool: ToolCall; index: number }) {
  if (!text.includes(cutMark)) return null;
  return (
    <button type="button" class="link open-whole" onClick={() => post({ type: "openOutput", toolCallId: tool.id, index })}>
      Open all of it
    </button>
  );
}

function Ending({ exitCode, signal }: { exitCode: number | undefined; signal: string | undefined }) {
  if (signal) return <p class="ending bad">Killed by <Label text={signal} /></p>;
  if (exitCode === undefined) return null;
  return <p class={exitCode === 0 ? "ending" : "ending bad"}>Exit code {exitCode}</p>;
}

function Locations({ tool }: { tool: ToolCall }) {
  const shown = new Set(tool.content.map((content) => (content.type === "diff" ? content.path : "")));
  const locations = tool.locations.filter(({ path }) => !shown.has(path));
  if (locations.length === 0) return null;
  return (
    <ul class="locations">
      {locations.slice(0, 50).map(({ path, line }, index) => (
        <li key={index}>
          <button type="button" class="link path" onClick={() => post(line ? { type: "openFile", path, line } : { type: "openFile", path })}>
            <PathName path={path} line={line} />
          </button>
        </li>
      ))}
    </ul>
  );
}
