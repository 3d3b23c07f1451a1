// Client-side router. The address is the only state, so that links, reloads and the back button work;
// `pages.ts` lists the pages.

const address = () => ({ path: location.pathname, query: location.search, hash: location.hash })

export const place = $state(address())

const readAddress = () => Object.assign(place, address())

/** Opens a page; `replace` overwrites the current history entry. */
export function go(to: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', to)
  else history.replaceState(null, '', to)
  readAddress()
  if (how === 'push') scrollTo(0, 0)
}

/** Follows the back button and links to our own pages. */
export function startRouter(): void {
  addEventListener('popstate', readAddress)
  addEventListener('hashchange', readAddress)
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
