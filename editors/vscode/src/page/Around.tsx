/**
 * The page's own parts: a line above the chat, and over the chat whatever must
 * be answered first.
 */
import { useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";
import { Icon, IconButton, Spinner } from "../webview/frame/components.js";
import { visible } from "../webview/text/visible.js";
import { allowNotices, canOffer, declineNotices } from "./notices.js";
import { change, onShell, shell, type Shell } from "./shell.js";

export interface Doings {
  logIn(token: string): Promise<void>;
  logOut(): Promise<void>;
  tryNow(): void;
}

export function Around({ doings }: { doings: Doings }) {
  const { server, reconnect, message, question, offer } = useShell();
  return (
    <>
      <div class="lines" role="status">
        {(server === "away" || reconnect) && (
          <div class="line away">
            <Spinner />
            <span>
              The server is unreachable.{" "}
              {reconnect ? "What you send now waits until this page has reconnected." : "Sessions keep running there, and this page reconnects automatically."}
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
            <span>Notify you when the agent needs an answer while this page is hidden?</span>
            <button type="button" class="button primary" onClick={() => void allowNotices().finally(() => change({ offer: false }))}>Yes</button>
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
  const { loggedIn } = useShell();
  return (
    <div class="foot">
      {canOffer() && <button type="button" class="button secondary" onClick={() => void allowNotices()}>Allow notifications</button>}
      {loggedIn && <button type="button" class="button secondary" onClick={() => void doings.logOut()}>Log out</button>}
    </div>
  );
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
