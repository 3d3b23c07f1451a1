// Notices that a player's turn has begun, for a tab that is not in front: a dot on the icon of the tab, a
// notification of the system if it is allowed, a short vibration. The title and the sound are made elsewhere.

import { settings } from './settings.svelte.ts'
import { t } from './words.svelte.ts'

const icon = () => document.querySelector<HTMLLinkElement>('link[rel="icon"]')
let plain: string | undefined
let dotted: string | undefined

/** Puts a dot on the icon of the tab, or takes it away. */
export async function badge(isOn: boolean): Promise<void> {
  const link = icon()
  if (!link) return
  plain ??= link.href
  if (isOn && !dotted) {
    const drawing = await fetch(plain).then((answer) => answer.text()).catch(() => '')
    const size = /viewBox="0 0 (\d+)/.exec(drawing)?.[1]
    if (!size) return
    const dot = `<circle cx="${Number(size) * 0.76}" cy="${Number(size) * 0.24}" r="${Number(size) * 0.22}" fill="#d23f2a" stroke="#fff" stroke-width="${Number(size) * 0.05}"/>`
    dotted = `data:image/svg+xml,${encodeURIComponent(drawing.replace('</svg>', `${dot}</svg>`))}`
  }
  link.href = isOn && dotted ? dotted : plain
}

/** Calls the player to the table. */
export async function notify(game: string, body: string): Promise<void> {
  if (settings.vibrate && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(80)
  if (!document.hidden || !settings.notify || !isAllowed()) return
  const title = t('notice.turn')
  const options = { body, tag: game, icon: plain }
  try {
    const notification = new Notification(title, options)
    notification.onclick = () => (window.focus(), notification.close())
  } catch {
    // On phones only a service worker may show notifications.
    await (await navigator.serviceWorker?.getRegistration())?.showNotification(title, options)
  }
}

export const canNotify = () => typeof Notification !== 'undefined'
const isAllowed = () => canNotify() && Notification.permission === 'granted'

/** Asks for permission; says whether it was given. */
export const askToNotify = async () => canNotify() && (await Notification.requestPermission()) === 'granted'
