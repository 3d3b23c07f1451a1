// Entry point of the web app.

import './style.css'
import { mount } from 'svelte'
import App from './App.svelte'
import { startRouter } from './lib/router.svelte.ts'
import { applySettings, settings } from './lib/settings.svelte.ts'
import { loadLanguage } from './lib/words.svelte.ts'

applySettings()
startRouter()
await loadLanguage(settings.language).catch(() => {})
const target = document.getElementById('app')
if (target) mount(App, { target })

// Browsers allow a service worker only on HTTPS or localhost; without one the app works online only.
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  addEventListener('load', () => void navigator.serviceWorker.register('/sw.js').catch(() => {}))
}
