// Keeps the page's own files, so that it opens where the server is away. What the
// server has is asked for first; nothing that needs a login is kept.
"use strict";

const store = "turnwire-page";
const shell = ["/", "/page/page.js", "/page/page.css", "/page/page.webmanifest", "/page/icon.svg", "/page/icon-192.png"];
const patience = 4000; // milliseconds for a server that may not be there

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(store).then((cache) => cache.addAll(shell)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(self.clients.claim());
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== self.location.origin || !shell.includes(url.pathname)) return;
  event.respondWith(answer(event.request, url.pathname));
});

async function answer(request, path) {
  const cache = await caches.open(store);
  try {
    const found = await fetch(request, { signal: AbortSignal.timeout(patience) });
    if (found.ok) await cache.put(path, found.clone());
    if (found.status < 500) return found;
  } catch {
    // The server is away.
  }
  return (await cache.match(path)) ?? Response.error();
}

// A notification leads to the page that it is of.
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(
    self.clients.matchAll({ type: "window", includeUncontrolled: true }).then((pages) => (pages.length > 0 ? pages[0].focus() : self.clients.openWindow("/"))),
  );
});
