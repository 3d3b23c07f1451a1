// New versions of the app. The service worker serves one version as a whole; a new one is announced and takes
// over when the player says so. Games are stored, so nothing is lost by that.

import { at } from './router.svelte.ts'

/** The files for later visits wait until this visit has what it needs. */
const PAUSE_MS = 2_000

class Update {
  /** Whether a new version waits, or has taken over in another tab. */
  isReady = $state(false)
  #registration: ServiceWorkerRegistration | null = null

  /** Takes the new version over and loads the page again. */
  takeOver(): void {
    const { waiting } = this.#registration ?? {}
    if (!waiting) return location.reload()
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
    waiting.postMessage('take over')
  }

  async start(): Promise<void> {
    const { serviceWorker } = navigator
    const isFirst = !serviceWorker.controller
    const registration = await serviceWorker.register(at('/sw.js'))
    this.#registration = registration
    if (isFirst) return
    this.isReady = registration.waiting !== null
    registration.addEventListener('updatefound', () => {
      const found = registration.installing
      found?.addEventListener('statechange', () => (this.isReady ||= found.state === 'installed'))
    })
    serviceWorker.addEventListener('controllerchange', () => (this.isReady = true))
    // A tab may stay open for weeks.
    document.addEventListener('visibilitychange', () => document.hidden || void registration.update().catch(() => {}))
  }
}

export const update = new Update()

/** Browsers allow a service worker only on HTTPS or localhost; without one the app works online only. */
export function startUpdates(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const start = () => setTimeout(() => void update.start().catch(() => {}), PAUSE_MS)
  if (document.readyState === 'complete') start()
  else addEventListener('load', start)
}
