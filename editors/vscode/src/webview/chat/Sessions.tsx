/** The list of chats that can be reopened. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ChatState, SessionEntry } from "../../shared/model.js";
import { ago, plural } from "../frame/format.js";
import { post } from "../frame/host.js";
import { panelFoot } from "../frame/pageParts.js";
import { IconButton, Label } from "../frame/components.js";
import { matching } from "../prompt/completion.js";
import { moved } from "../prompt/ListBox.js";
import { visible, visibleLine } from "../text/visible.js";
import { topics } from "./store.js";
import { store, useSession, useTopic } from "./hooks.js";

/** Rows drawn at first: there may be thousands of chats. */
const atOnce = 200;

/** How often a list that stays open is updated, in milliseconds. */
const updateInterval = 10_000;

/** Without `close`, the list is next to the chat. */
export function Sessions({ close }: { close?: () => void }) {
  useTopic(topics.sessions);
  useTopic(topics.openChats);
  const session = useSession();
  const agent = session?.agent;
  const [query, setQuery] = useState("");
  const search = useRef<HTMLInputElement>(null);
  const stays = close === undefined;
  useLayoutEffect(() => {
    if (!stays) search.current?.focus();
  }, []);
  const open = [...store.openChats.keys()].join(" ");
  useEffect(() => post({ type: "listSessions" }), [open, session?.chatId, stays && session?.status, stays && session?.title]);
  useEffect(() => {
    if (!stays) return;
    const timer = setInterval(() => document.visibilityState === "visible" && post({ type: "listSessions" }), updateInterval);
    return () => clearInterval(timer);
  }, [stays]);
  const [most, setMost] = useState(atOnce);
  const found = matching(store.sessions, (entry) => entry.title, query.trim());
  const empty = store.noSessions || (store.listing ? "Loading chats…" : store.sessions.length === 0 ? "No other chats yet." : "No matching chats.");

  // A search needs the complete list.
  const wanted = store.moreSessions && !store.listing && (query.trim() !== "" || most > store.sessions.length);
  useEffect(() => {
    if (!wanted) return;
    store.listing = true;
    post({ type: "moreSessions" });
  }, [wanted, store.sessions.length]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.currentTarget instanceof HTMLElement)) return;
    if (event.target instanceof HTMLInputElement && event.target !== search.current) return;
    const rows = [...event.currentTarget.querySelectorAll<HTMLElement>(".session-open")];
    const at = rows.indexOf(document.activeElement as HTMLElement);
    if (at < 0 && event.key !== "ArrowDown") return;
    const next = moved(event.key, at, rows.length);
    if (next === undefined) return;
    event.preventDefault();
    if (event.key === "ArrowUp" && at === 0) search.current?.focus();
    else rows[next]?.focus();
  };

  // If several agents have chats, show each chat's agent.
  const mixed = store.sessions.some((entry) => entry.agent !== undefined);
  const Foot = panelFoot();
  return (
    <section class={stays ? "side" : "panel"} aria-label="Chats" onKeyDown={onKeyDown}>
      <div class="panel-head">
        <input
          ref={search}
          type="text"
          placeholder="Search chats"
          aria-label="Search chats"
          value={query}
          onInput={(event) => {
            setQuery(event.currentTarget.value);
            setMost(atOnce);
          }}
        />
        {close && <IconButton icon="close" label="Close (Escape)" onClick={close} />}
      </div>
      {agent !== undefined && !mixed && <h2 class="of-agent">Chats with <Label text={agent} /></h2>}
      {found.length === 0 && <p class="empty" role="status">{visible(empty)}</p>}
      <ul class="sessions">
        {found.slice(0, most).map((entry) => <Entry key={entry.id} entry={mixed && agent !== undefined ? { agent, ...entry } : entry} opened={close} />)}
      </ul>
      {(found.length > most || store.moreSessions) && (
        <button type="button" class="button secondary more" onClick={() => setMost(most + atOnce)}>
          {store.moreSessions ? "Show more" : `Show more of ${plural(found.length, "chat", "chats")}`}
        </button>
      )}
      {Foot && <Foot />}
    </section>
  );
}

const states: Partial<Record<ChatState, string>> = { running: "running", waiting: "waiting for you", done: "done", failed: "failed" };

function State({ state }: { state: ChatState | undefined }) {
  const words = state && states[state];
  return words ? <span class={`badge ${state}`}>{words}</span> : null;
}

function Entry({ entry, opened }: { entry: SessionEntry; opened: (() => void) | undefined }) {
  const [state, setState] = useState<"shown" | "renaming" | "deleting">("shown");
  const title = entry.title || "Untitled";
  const open = () => {
    if (!entry.current) post({ type: "openSession", id: entry.id });
    opened?.();
  };
  if (state === "renaming") return <Rename entry={entry} done={() => setState("shown")} />;
  if (state === "deleting") {
    return (
      <li class="session deleting" role="group" aria-label={`Delete ${visibleLine(title)}?`} onKeyDown={(event) => leave(event, () => setState("shown"))}>
        <span class="session-title">Delete “<Label text={title} />”?</span>
        <button type="button" class="button danger" onClick={() => post({ type: "deleteSession", id: entry.id })}>Delete</button>
        <FocusedButton onClick={() => setState("shown")} />
      </li>
    );
  }
  return (
    <li class={`session ${entry.current ? "current" : ""}`}>
      <button type="button" class="session-open" aria-current={entry.current ? "true" : undefined} onClick={open}>
        <span class="session-title"><Label text={title} /></span>
        <State state={store.openChats.get(entry.id)?.state ?? entry.state} />
        {entry.agent && <span class="session-time"><Label text={entry.agent} /></span>}
        {entry.folder && <span class="session-time"><Label text={entry.folder} /></span>}
        {entry.updatedAt && <span class="session-time">{ago(entry.updatedAt)}</span>}
      </button>
      <span class="session-tools">
        {entry.canRename && <IconButton icon="rename" label={`Rename ${visibleLine(title)}`} onClick={() => setState("renaming")} />}
        {entry.canDelete && <IconButton icon="trash" label={`Delete ${visibleLine(title)}`} onClick={() => setState("deleting")} />}
      </span>
    </li>
  );
}

/** Focuses the safe button. */
function FocusedButton({ onClick }: { onClick: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => button.current?.focus(), []);
  return <button type="button" class="button secondary" ref={button} onClick={onClick}>Keep</button>;
}

function Rename({ entry, done }: { entry: SessionEntry; done: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.select(), []);
  const rename = (event: Event) => {
    event.preventDefault();
    const title = field.current?.value.trim() ?? "";
    if (title !== "" && title !== entry.title) post({ type: "renameSession", id: entry.id, title });
    done();
  };
  return (
    <li class="session renaming">
      <form onSubmit={rename} onKeyDown={(event) => leave(event, done)}>
        <input ref={field} type="text" aria-label="New title" defaultValue={entry.title} />
        <button type="submit" class="button primary">Rename</button>
      </form>
    </li>
  );
}

function leave(event: KeyboardEvent, then: () => void): void {
  if (event.key !== "Escape") return;
  event.preventDefault();
  event.stopPropagation();
  then();
}
