// Client-side router. The address is the only state, so that links, reloads and the back button work;
// `pages.ts` lists the pages. Paths inside the app start with `/` wherever the site lies; `at` puts the
// folder of the site before them, and the build does the same for the links of components.

const BASE = import.meta.env.BASE_URL

/** The address of a path of the app on its host. */
export const at = (path: string) => BASE + path.slice(1)

/** The path in the app of an address below the folder of the site. */
const inside = (pathname: string) => (pathname.startsWith(BASE) ? pathname.slice(BASE.length - 1) : '/')

const address = () => ({ path: inside(location.pathname), query: location.search, hash: location.hash })

export const place = $state(address())

const readAddress = () => Object.assign(place, address())

/** Opens a page; `replace` overwrites the current history entry. */
export function go(to: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', at(to))
  else history.replaceState(null, '', at(to))
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
    if (link.origin !== location.origin || !link.pathname.startsWith(BASE)) return
    const path = inside(link.pathname)
    if (path.startsWith('/api') || (link.pathname === location.pathname && link.hash)) return
    event.preventDefault()
    go(path + link.search + link.hash)
  })
}
