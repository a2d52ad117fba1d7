/**
 * Sessions that another process has open. After a reload, the window's previous process may
 * take a while to close them.
 */
import * as acp from "@agentclientprotocol/sdk";

const notFree = -32600;
/** Milliseconds between attempts. The pause doubles each time. */
const firstPause = 100;
const longestPause = 1_000;

export interface HeldWait {
  /** Milliseconds to wait for a held session; 0 to try only once. */
  timeout: number;
  /** Called once, before the first pause. */
  waits(): void;
}

/** Reports whether an agent can't open a session now, although it exists. */
export const isHeld = (error: unknown): error is acp.RequestError => error instanceof acp.RequestError && error.code === notFree;

/** Opens a session. Tries again while it is held, until the timeout or an abort. */
export async function whenFree<T>(open: () => Promise<T>, { timeout, waits }: HeldWait, signal: AbortSignal): Promise<T> {
  const end = Date.now() + timeout;
  for (let pause = firstPause; ; pause = Math.min(2 * pause, longestPause)) {
    try {
      return await open();
    } catch (error) {
      const left = end - Date.now();
      if (!isHeld(error) || left <= 0) throw error;
      if (pause === firstPause) waits();
      await sleep(Math.min(pause, left), signal);
      if (signal.aborted) throw error;
    }
  }
}

/** Resolves after the time, or at once when the signal aborts. */
function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
  });
}
