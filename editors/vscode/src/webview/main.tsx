/**
 * The chat view: shows the extension host's messages, and reports the user's actions.
 *
 * Messages are collected and drawn once per frame.
 */
import { render } from "preact";
import type { ToView } from "../shared/messages.js";
import { App } from "./chat/App.js";
import { store } from "./chat/hooks.js";
import { post } from "./frame/host.js";
import { deliver } from "./frame/inbox.js";
import { save } from "./frame/memory.js";

let arrived: ToView[] = [];

function show(): void {
  const messages = arrived;
  arrived = [];
  for (const message of messages) {
    if (!store.take(message)) post({ type: "ready" });
  }
  store.flush();
  // Draw first: a message for the prompt may belong to a chat in the same batch.
  requestAnimationFrame(() => messages.forEach(deliver));
}

window.addEventListener("message", ({ data, origin }: MessageEvent<ToView>) => {
  if (origin === "null") return; // from a sandboxed frame
  if (arrived.length === 0) requestAnimationFrame(show);
  arrived.push(data);
});

window.addEventListener("error", ({ message }) => post({ type: "failed", message }));
window.addEventListener("unhandledrejection", ({ reason }) => post({ type: "failed", message: String(reason) }));
window.addEventListener("pagehide", save);
document.addEventListener("visibilitychange", save);

const root = document.getElementById("root");
if (root) render(<App />, root);
post({ type: "ready" });
