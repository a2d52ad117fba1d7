/**
 * The page's own parts: a line above the chat, and over the chat whatever must
 * be answered first.
 */
import { useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";
import { Icon, IconButton, Label, Spinner } from "../webview/frame/components.js";
import { visible, visibleLine } from "../webview/text/visible.js";
import type { Push, PushState } from "./push.js";
import { serverPaths } from "./paths.js";
import type { SavedChats } from "./saved.js";
import { allowNotices, canOffer, declineNotices } from "./notices.js";
import { change, onShell, shell, type Shell } from "./shell.js";

export interface Doings {
  logIn(token: string): Promise<void>;
  logOut(): Promise<void>;
  tryNow(): void;
  startIn(folder: string): Promise<void>;
  push: Push;
  saved: SavedChats;
}

export function Around({ doings }: { doings: Doings }) {
  const { server, reconnect, message, question, offer, push, asOf } = useShell();
  const accept = async () => {
    if (push === "off") await doings.push.turnOn();
    await allowNotices();
    change({ offer: false });
  };
  return (
    <>
      <div class="lines" role="status">
        {(server === "away" || reconnect) && (
          <div class="line away">
            <Spinner />
            <span>
              {asOf !== undefined
                ? `Offline, as of ${timeOf(asOf)}. Nothing can be sent until this page reconnects.`
                : reconnect
                  ? "The server is unreachable. What you send now waits until this page has reconnected."
                  : "The server is unreachable. Sessions keep running there, and this page reconnects automatically."}
            </span>
            <button type="button" class="button secondary" onClick={reconnect ?? doings.tryNow}>Try now</button>
          </div>
        )}
        {message !== undefined && (
          <div class="line announcement">
            <Icon name="info" />
            <span dir="auto">{visible(message)}</span>
            <IconButton icon="close" label="Dismiss" onClick={() => change({ message: undefined })} />
          </div>
        )}
        {offer && (
          <div class="line offer">
            <span>Notify you when the agent needs an answer while this page is {push === "off" ? "hidden or closed" : "hidden"}?</span>
            <button type="button" class="button primary" onClick={() => void accept()}>Yes</button>
            <button
              type="button"
              class="button secondary"
              onClick={() => {
                declineNotices();
                change({ offer: false });
              }}
            >
              No
            </button>
          </div>
        )}
      </div>
      {question && <Question question={question} />}
      {server === "login" && <Login logIn={doings.logIn} />}
    </>
  );
}

/** The footer of the chat list. */
export function Foot({ doings }: { doings: Doings }) {
  const { loggedIn, push } = useShell();
  return (
    <div class="foot">
      {push && <PushSwitch state={push} push={doings.push} />}
      <SavedSwitch saved={doings.saved} />
      {typeof push === "object" && canOffer() && <button type="button" class="button secondary" onClick={() => void allowNotices()}>Allow notifications</button>}
      {loggedIn && <button type="button" class="button secondary" onClick={() => void doings.logOut()}>Log out</button>}
    </div>
  );
}

/** Where an empty chat starts. */
export function Start({ doings }: { doings: Doings }) {
  const { folder, folders = [] } = useShell();
  if (folder === undefined) return null;
  const all = folders.includes(folder) ? folders : [folder, ...folders];
  if (all.length === 1) return <p class="start">in <Label text={folder} /></p>;
  return (
    <label class="start">
      Folder
      <select value={folder} onChange={(event) => void doings.startIn(event.currentTarget.value)}>
        {all.map((one) => <option key={one} value={one}>{visibleLine(`${serverPaths.base(one)} – ${one}`)}</option>)}
      </select>
    </label>
  );
}

function PushSwitch({ state, push }: { state: PushState; push: Push }) {
  if (typeof state === "object") return <p class="hint">{state.why}</p>;
  return <Switch label="Notify me while this page is closed" on={state === "on"} turn={(on) => (on ? push.turnOn() : push.turnOff())} />;
}

function SavedSwitch({ saved }: { saved: SavedChats }) {
  const [on, setOn] = useState(saved.on);
  return <Switch label="Keep chats here to read them offline" on={on} turn={(wanted) => saved.turn(wanted).finally(() => setOn(saved.on))} />;
}

function Switch({ label, on, turn }: { label: string; on: boolean; turn(on: boolean): Promise<void> }) {
  const [busy, setBusy] = useState(false);
  const toggle = () => {
    setBusy(true);
    void turn(!on).finally(() => setBusy(false));
  };
  return (
    <button type="button" role="switch" class="page-switch" aria-checked={on} disabled={busy} onClick={toggle}>
      <span>{label}</span>
      <span class="knob" aria-hidden="true" />
    </button>
  );
}

/** Formats a time, with its date unless it is today. */
function timeOf(at: number): string {
  const time = new Date(at);
  const today = time.toDateString() === new Date().toDateString();
  return time.toLocaleString([], today ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" });
}

function useShell(): Shell {
  const [, again] = useReducer((count: number, _: void) => count + 1, 0);
  useLayoutEffect(() => onShell(() => again()), []); // an effect would miss an early change
  return shell();
}

function Question({ question }: { question: NonNullable<Shell["question"]> }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), [question]);
  const [first = "", ...rest] = question.text.split("\n\n");
  return (
    <dialog ref={dialog} class="ask" aria-label={first} onCancel={() => question.answer(false)}>
      <p>{visible(first)}</p>
      {rest.length > 0 && <p class="path">{visible(rest.join("\n\n"))}</p>}
      <div class="buttons">
        <button type="button" class="button secondary" onClick={() => question.answer(false)}>Cancel</button>
        <button type="button" class="button primary" onClick={() => question.answer(true)}>{question.yes}</button>
      </div>
    </dialog>
  );
}

function Login({ logIn }: { logIn: Doings["logIn"] }) {
  const { fault } = useShell();
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const submit = (event: Event) => {
    event.preventDefault();
    const token = field.current?.value.trim() ?? "";
    if (token === "" || busy) return;
    setBusy(true);
    void logIn(token).finally(() => setBusy(false));
  };
  return (
    <main class="log-in">
      <form onSubmit={submit}>
        <Icon name="key" class="large" />
        <h1>Log in to Turnwire</h1>
        <p>
          Scan the code that <code>turnwire serve --qr</code> shows, or paste a token. On the server's machine, <code>turnwire token create phone</code> creates one.
        </p>
        <label>
          Token
          <input ref={field} type="password" autocomplete="current-password" spellcheck={false} aria-invalid={fault !== undefined} aria-describedby={fault === undefined ? undefined : "login-fault"} />
        </label>
        {fault !== undefined && <p id="login-fault" class="login-fault" role="alert">{fault}</p>}
        <button type="submit" class="button primary" disabled={busy}>{busy ? <Spinner /> : <Icon name="key" />}Log in</button>
      </form>
    </main>
  );
}
