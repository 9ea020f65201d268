// Every page of a published site asks the browser to keep the site, so that it works without a network.

const worker = new URL("worker.js", /** @type {HTMLScriptElement} */ (document.currentScript).src);

if (worker.protocol !== "file:" && "serviceWorker" in navigator) {
  navigator.serviceWorker.register(worker.href).catch(() => {
    // A browser may keep nothing. The site then needs its server, as other sites do.
  });
}
