// Makes the screen an app: all its files are kept as soon as it has been opened once, so that it opens
// at once and, without a connection, says so itself. Games are never kept; they come from the server.

// The build writes the names of the files here; they change with what is in them.
const FILES = []
const KEEP = `azulejo ${FILES.join(' ')}`

self.addEventListener('install', (event) => {
  // The document by itself, not by what the browser may have kept of it.
  const wanted = ['/', '/icon.svg', '/manifest.webmanifest', ...FILES].map((path) => new Request(path, { cache: 'reload' }))
  event.waitUntil(
    caches
      .open(KEEP)
      .then((kept) => kept.addAll(wanted))
      .then(() => self.skipWaiting()),
  )
})

self.addEventListener('activate', (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => name !== KEEP).map((name) => caches.delete(name))))
  event.waitUntil(old.then(() => self.clients.claim()))
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== location.origin || url.pathname.startsWith('/api')) return
  if (request.mode === 'navigate') event.respondWith(page(request))
  else if (url.pathname.includes('.')) event.respondWith(file(request))
})

/** The newest document if there is a connection, else the kept one: all pages are one document. */
async function page(request) {
  try {
    return await fetch(request)
  } catch (error) {
    const kept = await caches.open(KEEP)
    const old = await kept.match('/')
    if (old) return old
    throw error
  }
}

/** A kept file, or the one of the server. */
async function file(request) {
  const kept = await caches.open(KEEP)
  return (await kept.match(request)) ?? fetch(request)
}
