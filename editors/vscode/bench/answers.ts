/** Measures the time from a key or a click to the next frame on the screen, as reported by the browser. */
import type { View } from "../test/webview/view.js";

export interface Answers {
  keys: number;
  /**
   * The slowest response but for one in fifty, in milliseconds, like the web's
   * own metric (INP); 0 if none was slow enough for an entry (16 ms).
   */
  slow: number;
  slowest: number;
}

interface Timing extends PerformanceEntry {
  interactionId: number;
}

/** Starts measuring; the returned function reports the results so far. */
export async function measure(view: View): Promise<() => Promise<Answers>> {
  await view.page.evaluate(() => {
    const entries: Timing[] = [];
    const observer = new PerformanceObserver((list) => entries.push(...(list.getEntries() as Timing[])));
    observer.observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
    Object.assign(window, { eventEntries: entries });
  });
  const before = await view.page.evaluate(() => performance.eventCounts.get("keydown") ?? 0);
  return async () => {
    await view.frames();
    return view.page.evaluate((seen) => {
      const { eventEntries } = window as unknown as { eventEntries: Timing[] };
      const interactions = new Map<number, number>();
      for (const { interactionId, duration } of eventEntries) {
        if (interactionId) interactions.set(interactionId, Math.max(duration, interactions.get(interactionId) ?? 0));
      }
      const keys = (performance.eventCounts.get("keydown") ?? 0) - seen;
      const durations = [...interactions.values()].sort((a, b) => b - a);
      return { keys, slow: durations[Math.floor(keys / 50)] ?? 0, slowest: durations[0] ?? 0 };
    }, before);
  };
}

/** Types, with a click now and then, until something ends. */
export async function useWhile(view: View, going: Promise<unknown>): Promise<void> {
  // By attribute: a locator by role would search the whole page, and slow down
  // the view.
  const keys = view.page.locator("[aria-label='Keyboard shortcuts']").first();
  const prompt = view.page.locator(".prompt textarea");
  let over = false;
  going.finally(() => (over = true)).catch(() => undefined);
  await prompt.click();
  for (let i = 0; !over || i < 30; i++) {
    await view.page.keyboard.press(i % 8 === 7 ? "Backspace" : "abcdefg"[i % 7] ?? "a");
    if (i % 20 !== 19) continue;
    await keys.click();
    await view.page.keyboard.press("Escape");
    await prompt.click();
  }
  await going;
}
