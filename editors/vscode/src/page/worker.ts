/**
 * Registers a service worker that caches the page, so that it opens while the
 * server is away, and that shows notifications while the page is closed.
 */
const script = "/page/worker.js";

interface Policies {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

export function keepPage(): void {
  if (!("serviceWorker" in navigator)) return; // unavailable without TLS
  const { trustedTypes } = globalThis as { trustedTypes?: Policies };
  const policy = trustedTypes?.createPolicy("turnwire-worker", {
    createScriptURL(url) {
      if (url !== script) throw new TypeError(`${url} is not a script of this page`);
      return url;
    },
  });
  navigator.serviceWorker.register(policy?.createScriptURL(script) ?? script, { scope: "/" }).catch(() => {
    // The page then opens only while the server is running.
  });
}

/** Calls `open` with the session of a notification that was clicked. */
export function onOpenSession(open: (session: string) => void): void {
  navigator.serviceWorker?.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    const session = (data as { openSession?: unknown } | null)?.openSession;
    if (typeof session === "string") open(session);
  });
}
