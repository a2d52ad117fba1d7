/**
 * The chat view: shows what the extension host says, and tells it what the person does.
 *
 * Messages are put together and shown once a frame, however many come.
 */
import { render } from "preact";
import type { ToView } from "../shared/messages.js";
import { App } from "./chat/App.js";
import { store } from "./chat/use.js";
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
  // What is for the prompt is for that of a chat which came along: it is drawn first.
  requestAnimationFrame(() => messages.forEach(deliver));
}

window.addEventListener("message", ({ data }: MessageEvent<ToView>) => {
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
