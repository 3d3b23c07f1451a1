// Service worker: caches all files of the web app on the first visit, so that it opens fast and also
// offline, where it says that the server cannot be reached. API answers are never cached.

// The build fills in the file names, which contain a hash of the content.
const FILES = []
const CACHE = `azulejo ${FILES.join(' ')}`

self.addEventListener('install', (event) => {
  // `reload` bypasses the HTTP cache of the browser.
  const wanted = ['/', '/icon.svg', '/manifest.webmanifest', ...FILES].map((path) => new Request(path, { cache: 'reload' }))
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(wanted))
      .then(() => self.skipWaiting()),
  )
})

self.addEventListener('activate', (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))))
  event.waitUntil(old.then(() => self.clients.claim()))
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== location.origin || url.pathname.startsWith('/api')) return
  if (request.mode === 'navigate') event.respondWith(page(request))
  else if (url.pathname.includes('.')) event.respondWith(file(request))
})

/** The document from the server, or the cached one offline. All pages are one document. */
async function page(request) {
  try {
    return await fetch(request)
  } catch (error) {
    const cache = await caches.open(CACHE)
    const cached = await cache.match('/')
    if (cached) return cached
    throw error
  }
}

/** The cached file, or the one of the server. */
async function file(request) {
  const cache = await caches.open(CACHE)
  return (await cache.match(request)) ?? fetch(request)
}
