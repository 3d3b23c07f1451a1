// Entry point of the web app.

import './fonts.css'
import './style.css'
import { mount } from 'svelte'
import App from './App.svelte'
import { local } from './lib/local/host.svelte.ts'
import { startRouter } from './lib/router.svelte.ts'
import { applySettings, settings } from './lib/settings.svelte.ts'
import { startUpdates } from './lib/update.svelte.ts'
import { loadLanguage } from './lib/words.svelte.ts'

// Its files load while the page is drawn.
void local.isReady().finally(startUpdates)
applySettings()
startRouter()
await loadLanguage(settings.language).catch(() => {})
const target = document.getElementById('app')
if (target) mount(App, { target })
