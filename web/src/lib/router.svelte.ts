// Which page is shown. The address is the truth, so that links, reloads and the back button work.

export const place = $state({ path: location.pathname, query: location.search, hash: location.hash })

function look() {
  place.path = location.pathname
  place.query = location.search
  place.hash = location.hash
}

/** Goes to a page; `replace` leaves no trace of this one in the history. */
export function go(to: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', to)
  else history.replaceState(null, '', to)
  look()
  if (how === 'push') scrollTo(0, 0)
}

/** Follows the back button and links to our own pages. */
export function startRouter(): void {
  addEventListener('popstate', look)
  addEventListener('hashchange', look)
  document.addEventListener('click', (event) => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    const link = (event.target as Element | null)?.closest?.('a')
    if (!isPlain || event.defaultPrevented || !link || link.target || link.hasAttribute('download')) return
    if (link.origin !== location.origin || link.pathname.startsWith('/api')) return
    if (link.pathname === location.pathname && link.hash) return
    event.preventDefault()
    go(link.pathname + link.search + link.hash)
  })
}
