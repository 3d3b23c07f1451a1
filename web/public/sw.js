// Makes the screen an app: its files are kept, so that it opens at once and, without a connection,
// says so itself. Games are never kept; they come from the server.

const KEEP = 'azulejo-1'

self.addEventListener('install', () => self.skipWaiting())

self.addEventListener('activate', (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => name !== KEEP).map((name) => caches.delete(name))))
  event.waitUntil(old.then(() => self.clients.claim()))
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== location.origin || url.pathname.startsWith('/api')) return
  if (request.mode === 'navigate') event.respondWith(page(request))
  else if (url.pathname.startsWith('/assets/')) event.respondWith(asset(request))
})

/** The newest document if there is a connection, else the kept one: all pages are one document. */
async function page(request) {
  const kept = await caches.open(KEEP)
  try {
    const fresh = await fetch(request)
    if (fresh.ok && fresh.headers.get('content-type')?.startsWith('text/html')) await kept.put('/', fresh.clone())
    return fresh
  } catch (error) {
    const old = await kept.match('/')
    if (old) return old
    throw error
  }
}

/** Files with a hash in their name never change. */
async function asset(request) {
  const kept = await caches.open(KEEP)
  const old = await kept.match(request)
  if (old) return old
  const fresh = await fetch(request)
  if (fresh.ok) await kept.put(request, fresh.clone())
  return fresh
}
