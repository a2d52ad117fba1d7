/**
 * Stands where the editor stands in an extension: the view's door to the host, which
 * runs in the same page. It has to be there before the view is.
 */
import { readFromView } from "../shared/fromView.js";
import type { FromView, ToView } from "../shared/messages.js";
import { viewMemory } from "./memory.js";

let waiting: FromView[] = [];
let take: ((message: FromView) => void) | undefined;

Object.assign(globalThis, {
  acquireVsCodeApi: () => ({
    postMessage(message: FromView): void {
      const read = readFromView(structuredClone(message));
      if (!read) return;
      if (take) take(read);
      else waiting.push(read);
    },
    getState: viewMemory.read,
    setState: viewMemory.write,
  }),
});

/** Hands on what the view says, and has said. */
export function onFromView(receive: (message: FromView) => void): void {
  take = receive;
  const early = waiting;
  waiting = [];
  early.forEach(receive);
}

/** The view gets a copy: it keeps what it is given. */
export function toView(message: ToView): void {
  window.dispatchEvent(new MessageEvent("message", { data: structuredClone(message) }));
}
