/**
 * Tells the user about pending requests while the page is hidden: always in the
 * title, and in a notification if the user allowed them.
 *
 * A notification only says that a request is pending and has no choices: the user
 * must read the request in the page first.
 */
import type { PendingRequest } from "../chat/editor.js";

const shown = "turnwire-asks";
const dismissed = "turnwire.notices";
const mostText = 160;

export class Notices {
  readonly #requests = new Map<string, PendingRequest>();
  #title = "Turnwire";
  /** The session that the page shows. */
  #session: string | undefined;
  #showing = Promise.resolve();

  constructor() {
    document.addEventListener("visibilitychange", () => void this.#show());
  }

  title(title: string): void {
    this.#title = title;
    this.#count();
  }

  asked(request: PendingRequest): void {
    this.#requests.set(request.id, request);
    this.#count();
    void this.#show();
  }

  settled(id: string): void {
    this.#requests.delete(id);
    this.#count();
    void this.#show();
  }

  /** Closes the server's notification about a session that the user looks at. */
  seen(session: string | undefined): void {
    this.#session = session;
    void this.#show();
  }

  #count(): void {
    const { size } = this.#requests;
    document.title = `${size > 0 ? `(${size}) ` : ""}${this.#title} – Turnwire`;
    const badge = navigator as { setAppBadge?(n: number): Promise<void>; clearAppBadge?(): Promise<void> };
    void (size > 0 ? badge.setAppBadge?.(size) : badge.clearAppBadge?.())?.catch(() => {});
  }

  /** Runs one after the other, so that the last state is the one shown. */
  #show(): Promise<void> {
    return (this.#showing = this.#showing.then(() => this.#tell()));
  }

  async #tell(): Promise<void> {
    if (!available() || Notification.permission !== "granted") return;
    const worker = await navigator.serviceWorker?.getRegistration("/").catch(() => undefined);
    const request = [...this.#requests.values()].at(-1);
    if (document.visibilityState === "visible" || !request) {
      const tags = document.visibilityState === "visible" && this.#session !== undefined ? [shown, `turnwire-session-${this.#session}`] : [shown];
      for (const tag of tags) for (const one of (await worker?.getNotifications({ tag })) ?? []) one.close();
      return;
    }
    const options = { tag: shown, body: wordsOf(request), icon: "/page/icon-192.png", badge: "/page/icon-192.png" };
    try {
      // Phones only show notifications from service workers.
      if (worker) await worker.showNotification(`${this.#title} is waiting for you`, options);
      else new Notification(`${this.#title} is waiting for you`, options).onclick = () => window.focus();
    } catch {
      // The browser refused.
    }
  }
}

const available = (): boolean => typeof Notification === "function";

/** Whether notifications can be offered and weren't yet. */
export const canOffer = (): boolean => available() && window.isSecureContext && Notification.permission === "default" && localStorage.getItem(dismissed) === null;

export async function allowNotices(): Promise<void> {
  await Notification.requestPermission();
  localStorage.setItem(dismissed, "asked");
}

export const declineNotices = (): void => localStorage.setItem(dismissed, "no");

function wordsOf(request: PendingRequest): string {
  const text = request.type === "permission" ? request.call.title : request.type === "question" ? request.question.message : request.login.message;
  return text.replace(/[\p{Cc}\p{Cf}]+/gu, " ").slice(0, mostText);
}
