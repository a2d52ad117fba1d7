/**
 * Replaces the editor's API: connects the view with the host, which runs in the same
 * page. It must be loaded before the view.
 */
import { readFromView } from "../shared/fromView.js";
import type { FromView, ToView } from "../shared/messages.js";
import { viewMemory } from "./memory.js";

let waiting: FromView[] = [];
let receiver: ((message: FromView) => void) | undefined;

Object.assign(globalThis, {
  acquireVsCodeApi: () => ({
    postMessage(message: FromView): void {
      const read = readFromView(structuredClone(message));
      if (!read) return;
      if (receiver) receiver(read);
      else waiting.push(read);
    },
    getState: viewMemory.read,
    setState: viewMemory.write,
  }),
});

/** Passes on the view's messages, including earlier ones. */
export function onFromView(receive: (message: FromView) => void): void {
  receiver = receive;
  const early = waiting;
  waiting = [];
  early.forEach(receive);
}

/** Sends a copy, because the view keeps the object. */
export function toView(message: ToView): void {
  window.dispatchEvent(new MessageEvent("message", { data: structuredClone(message) }));
}
