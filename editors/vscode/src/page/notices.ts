/**
 * Tells the person that something waits while the page is hidden: in a notification,
 * where they have allowed that, and in the title, always.
 *
 * A notification says that something waits, and offers nothing: what is allowed is
 * read in the page first.
 */
import type { Ask } from "../chat/editor.js";

const shown = "turnwire-asks";
const dismissed = "turnwire.notices";
const mostText = 160;

export class Notices {
  readonly #asks = new Map<string, Ask>();
  #title = "Turnwire";
  #showing = Promise.resolve();

  constructor() {
    document.addEventListener("visibilitychange", () => void this.#show());
  }

  title(title: string): void {
    this.#title = title;
    this.#count();
  }

  asked(ask: Ask): void {
    this.#asks.set(ask.id, ask);
    this.#count();
    void this.#show();
  }

  settled(id: string): void {
    this.#asks.delete(id);
    this.#count();
    void this.#show();
  }

  #count(): void {
    const { size } = this.#asks;
    document.title = `${size > 0 ? `(${size}) ` : ""}${this.#title} – Turnwire`;
    const badge = navigator as { setAppBadge?(n: number): Promise<void>; clearAppBadge?(): Promise<void> };
    void (size > 0 ? badge.setAppBadge?.(size) : badge.clearAppBadge?.())?.catch(() => {});
  }

  /** One after the other: what is shown last is true. */
  #show(): Promise<void> {
    return (this.#showing = this.#showing.then(() => this.#tell()));
  }

  async #tell(): Promise<void> {
    if (!available() || Notification.permission !== "granted") return;
    const worker = await navigator.serviceWorker?.getRegistration("/").catch(() => undefined);
    const ask = [...this.#asks.values()].at(-1);
    if (document.visibilityState === "visible" || !ask) {
      for (const one of (await worker?.getNotifications({ tag: shown })) ?? []) one.close();
      return;
    }
    const options = { tag: shown, body: wordsOf(ask), icon: "/page/icon-192.png", badge: "/page/icon-192.png" };
    try {
      // A phone shows those of a worker alone.
      if (worker) await worker.showNotification(`${this.#title} waits for you`, options);
      else new Notification(`${this.#title} waits for you`, options).onclick = () => window.focus();
    } catch {
      // The browser does not want to.
    }
  }
}

const available = (): boolean => typeof Notification === "function";

/** Whether the person can be asked, and was not. */
export const canOffer = (): boolean => available() && window.isSecureContext && Notification.permission === "default" && localStorage.getItem(dismissed) === null;

export async function allowNotices(): Promise<void> {
  await Notification.requestPermission();
  localStorage.setItem(dismissed, "asked");
}

export const declineNotices = (): void => localStorage.setItem(dismissed, "no");

function wordsOf(ask: Ask): string {
  const text = ask.type === "permission" ? ask.call.title : ask.type === "question" ? ask.question.message : ask.login.message;
  return text.replace(/[\p{Cc}\p{Cf}]+/gu, " ").slice(0, mostText);
}
