// Keeps the page's own files, so that it opens where the server is away. What the
// server has is asked for first; nothing that needs a login is kept.
"use strict";

const store = "turnwire-page";
const shell = ["/", "/page/page.js", "/page/page.css", "/page/page.webmanifest", "/page/icon.svg", "/page/icon-192.png"];
// Kept once they were needed.
const parts = ["/page/maths.js", "/page/diagrams.js"];
const patience = 4000; // milliseconds for a server that may not be there

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(store).then((cache) => cache.addAll(shell)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(self.clients.claim());
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== self.location.origin || ![...shell, ...parts].includes(url.pathname)) return;
  event.respondWith(answer(event.request, url.pathname));
});

async function answer(request, path) {
  const cache = await caches.open(store);
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), patience);
  try {
    const found = await fetch(request, { signal: silence.signal });
    clearTimeout(timer); // its text may take longer
    if (found.ok) await cache.put(path, found.clone());
    if (found.status < 500) return found;
  } catch {
    // The server is away.
  }
  return (await cache.match(path)) ?? Response.error();
}

// The server notifies a page that may be closed. A notification has no buttons: a request is
// read in the page before it is answered.
self.addEventListener("push", (event) => {
  event.waitUntil(show(event.data));
});

async function show(data) {
  let message;
  try {
    message = data.json();
  } catch {
    // Browsers require a notification for every message.
  }
  const session = text(message?.session, "");
  await self.registration.showNotification(text(message?.title, "Turnwire"), {
    body: text(message?.text, "Open the page to see what happened."),
    tag: `turnwire-session-${session}`, // replaces an earlier one
    renotify: true,
    icon: "/page/icon-192.png",
    badge: "/page/icon-192.png",
    data: { session },
  });
}

function text(value, otherwise) {
  return typeof value === "string" && value !== "" ? value.slice(0, 300) : otherwise;
}

// A browser may replace its subscription at any time.
self.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil(renew(event));
});

async function renew({ oldSubscription, newSubscription }) {
  const options = oldSubscription?.options;
  const made = newSubscription ?? (options && (await self.registration.pushManager.subscribe(options)));
  if (!made) return;
  const { endpoint, keys } = made.toJSON();
  const body = JSON.stringify({ subscribe: { endpoint, keys } });
  await fetch("/page/push", { method: "POST", headers: { "Content-Type": "application/json" }, body, redirect: "error" });
}

// A click on a notification opens the page at the notification's session.
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(text(event.notification.data?.session, "")));
});

async function open(session) {
  const [page] = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (!page) return self.clients.openWindow(session === "" ? "/" : `/#session=${encodeURIComponent(session)}`);
  if (session !== "") page.postMessage({ openSession: session });
  await page.focus();
}
