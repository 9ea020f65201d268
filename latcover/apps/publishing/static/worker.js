// The service worker of a published site: it keeps every file, so that the site works without a network. Before this text
// stand VERSION, which changes with any file, and FILES.

const OWN = `latcover ${self.registration.scope} `;
const KEPT = OWN + VERSION;

self.addEventListener("install", (event) => {
  const asked = FILES.map((name) => new Request(name, { cache: "reload" }));
  event.waitUntil(
    caches
      .open(KEPT)
      .then((cache) => cache.addAll(asked))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  const drop = (names) =>
    names.filter((name) => name.startsWith(OWN) && name !== KEPT).map((name) => caches.delete(name));
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(drop(names)))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && url.startsWith(self.registration.scope)) {
    event.respondWith(answer(event.request));
  }
});

async function answer(request) {
  const url = new URL(request.url);
  if (url.pathname.endsWith("/")) {
    url.pathname += "index.html";
  }
  const cache = await caches.open(KEPT);
  return (await cache.match(url.href, { ignoreSearch: true })) ?? fetch(request);
}
