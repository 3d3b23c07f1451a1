// Where the screen begins.

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

// Only a secure place may keep files; elsewhere the screen works without.
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  addEventListener('load', () => void navigator.serviceWorker.register('/sw.js').catch(() => {}))
}
