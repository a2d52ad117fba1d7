/** How long a view takes from a key or a click to the next picture on the screen, as the browser itself measures it. */
import type { View } from "../test/webview/view.js";

export interface Answers {
  keys: number;
  /**
   * The slowest answer but for one in fifty, in milliseconds, as in the web's own
   * measure for this (INP); 0 if the browser found none worth an entry (16 ms).
   */
  slow: number;
  slowest: number;
}

interface Timing extends PerformanceEntry {
  interactionId: number;
}

/** Measures from now on; what it returns tells what has been measured. */
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

/** Types, and clicks now and then, for as long as something goes on. */
export async function useWhile(view: View, going: Promise<unknown>): Promise<void> {
  // By its attribute: a locator by role would look through the whole page, in the view's own time.
  const keys = view.page.locator("[aria-label=Keys]").first();
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
