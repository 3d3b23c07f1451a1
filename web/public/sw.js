// Service worker: caches all files of one version of the web app on the first visit, so that it opens fast and
// works offline. A new version waits until the player takes it over, so that the files of two versions never
// mix. API answers are never cached.

// The build fills in the file names, which contain a hash of the content, and the first words of the pages.
const FILES = []
const PAGES = []
const CACHE = `azulejo ${FILES.join(' ')}`

/** The folder of the site. */
const BASE = new URL(self.registration.scope).pathname

self.addEventListener('install', (event) => {
  // The names of these files stay the same: `reload` bypasses the HTTP cache of the browser.
  const named = ['.', 'icon.svg', 'manifest.webmanifest'].map((path) => new Request(path, { cache: 'reload' }))
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll([...named, ...FILES])))
})

self.addEventListener('activate', (event) => {
  const isOld = (name) => name.startsWith('azulejo ') && name !== CACHE
  const old = caches.keys().then((names) => Promise.all(names.filter(isOld).map((name) => caches.delete(name))))
  event.waitUntil(old.then(() => self.clients.claim()))
})

self.addEventListener('message', ({ data }) => data === 'take over' && self.skipWaiting())

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin || !pathname.startsWith(BASE)) return
  const path = pathname.slice(BASE.length)
  // All pages are one document.
  if (request.mode === 'navigate') {
    if (PAGES.includes(path.split('/')[0])) event.respondWith(cached('.', request))
  } else if (path.startsWith('puzzles/')) event.respondWith(kept(request))
  else if (FILES.includes(path) || path === 'icon.svg' || path === 'manifest.webmanifest') event.respondWith(cached(request, request))
})

/** The cached file, or the one of the host. */
async function cached(key, request) {
  const cache = await caches.open(CACHE)
  return (await cache.match(key)) ?? fetch(request)
}

/** A file that is cached when it is first asked for: the puzzles are many, and not everybody solves them. */
async function kept(request) {
  const cache = await caches.open(CACHE)
  const found = await cache.match(request)
  if (found) return found
  const answer = await fetch(request)
  if (answer.ok) await cache.put(request, answer.clone())
  return answer
}
