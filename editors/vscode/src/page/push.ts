/**
 * Notifications of the server while the page is closed, by the browser's push
 * service. The browser has a subscription exactly if the user turned them on.
 */
import { change } from "./shell.js";
import { pushed } from "./server.js";

/** Whether the server notifies this browser, or why it can't. */
export type PushState = "on" | "off" | { why: string };

const trust = "This browser has not installed the page. If its certificate is from your own server, this device must trust it first.";

export class Push {
  #key: string | undefined;
  /** Whether the server has this browser's subscription. */
  #on = false;

  /** Tells the server about an existing subscription. `key` is undefined if the server doesn't notify this page. */
  async connected(key: string | undefined): Promise<void> {
    this.#key = key;
    this.#on = false;
    try {
      const subscription = await subscribed();
      if (subscription && key !== undefined && Notification.permission === "granted") {
        // The server may have another key than before.
        const current = hasKey(subscription, key) ? subscription : await this.#subscribe(key);
        this.#on = (await pushed({ subscribe: portable(current) })) === undefined;
      }
    } catch {
      // Off, until the user turns it on.
    }
    this.#show();
  }

  /** Call it only after a click, because browsers then let the page ask for permission. */
  async turnOn(): Promise<void> {
    const key = this.#key;
    if (key === undefined || obstacle(key) !== undefined) return this.#show();
    let fault: string | undefined;
    try {
      if ((await Notification.requestPermission()) === "granted") {
        const subscription = await this.#subscribe(key);
        fault = await pushed({ subscribe: portable(subscription) });
        this.#on = fault === undefined;
        if (fault !== undefined) await subscription.unsubscribe();
      }
    } catch (error) {
      fault = error instanceof NoWorker ? trust : "The browser's push service did not accept this page.";
    }
    if (fault !== undefined) change({ message: `Notifications are off: ${fault}` });
    this.#show();
  }

  async turnOff(): Promise<void> {
    this.#on = false;
    await this.forget();
    this.#show();
  }

  /** Ends the subscription, here and on the server if it can be reached. */
  async forget(): Promise<void> {
    try {
      const subscription = await subscribed();
      if (!subscription) return;
      await subscription.unsubscribe();
      // If this fails, the push service tells the server.
      await pushed({ unsubscribe: subscription.endpoint });
    } catch {
      // The browser has none.
    }
  }

  async #subscribe(key: string): Promise<PushSubscription> {
    const worker = await registration();
    if (!worker) throw new NoWorker();
    const old = await worker.pushManager.getSubscription();
    if (old && hasKey(old, key)) return old;
    await old?.unsubscribe();
    return worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
  }

  #show(): void {
    const why = obstacle(this.#key);
    change({ push: why === undefined ? (this.#on ? "on" : "off") : { why } });
  }
}

class NoWorker extends Error {}

/** Returns why the server can't notify this browser. */
function obstacle(key: string | undefined): string | undefined {
  if (!window.isSecureContext) return "Notifications need HTTPS.";
  if (!("serviceWorker" in navigator && "PushManager" in window && typeof Notification === "function")) {
    // Only Apple's phones and tablets have this property.
    return "standalone" in navigator ? "To be notified, add this page to the Home Screen, and open it there." : "This browser cannot notify you while the page is closed.";
  }
  if (key === undefined) return "The server does not notify this page while it is closed.";
  return Notification.permission === "denied" ? "The browser blocks notifications of this page. Its settings can allow them." : undefined;
}

const registration = async (): Promise<ServiceWorkerRegistration | undefined> => navigator.serviceWorker?.getRegistration("/");

const subscribed = async (): Promise<PushSubscription | null | undefined> => (await registration())?.pushManager?.getSubscription();

const portable = (subscription: PushSubscription): unknown => {
  const { endpoint, keys } = subscription.toJSON();
  return { endpoint, keys };
};

function hasKey({ options }: PushSubscription, key: string): boolean {
  const has = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  const wanted = bytes(key);
  return has.length === wanted.length && has.every((byte, at) => byte === wanted[at]);
}

/** Decodes URL-safe Base64. */
function bytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
}
