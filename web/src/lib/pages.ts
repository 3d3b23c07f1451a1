// The one list of pages: a path pattern and the component in `src/pages` that shows it. The build writes
// the patterns to `pages.json`, from which the server knows the addresses that exist; this file must
// therefore load without a browser.

export const PAGES = {
  '/': 'Home',
  '/new': 'NewGame',
  '/game/:id': 'Game',
  '/join/:id': 'Join',
  '/lobby': 'Lobby',
  '/learn': 'Learn',
  '/learn/:id': 'Learn',
  '/analysis': 'Analysis',
  '/puzzles': 'Puzzles',
  '/puzzles/:id': 'Puzzles',
  '/daily': 'Daily',
  '/replay': 'Replay',
  '/replay/:id': 'Replay',
  '/review': 'Review',
  '/review/:id': 'Review',
  '/watch': 'Watch',
  '/profile': 'Profile',
  '/take': 'Take',
  '/embed': 'Embed',
  '/embed/:id': 'Embed',
  '/settings': 'Settings',
  '/privacy': 'Privacy',
} as const

export interface Route {
  component: (typeof PAGES)[keyof typeof PAGES]
  /** The part of the path for each `:name` of the pattern. */
  params: Record<string, string>
}

const split = (path: string) => path.split('/').filter(Boolean)

/** The page at a path, or null if there is none. */
export function route(path: string): Route | null {
  const parts = split(path)
  for (const [pattern, component] of Object.entries(PAGES)) {
    const names = split(pattern)
    const params: Record<string, string> = {}
    const matches = names.every((name, i) => {
      if (name.startsWith(':')) params[name.slice(1)] = parts[i] ?? ''
      return name === parts[i] || name.startsWith(':')
    })
    if (matches && names.length === parts.length) return { component, params }
  }
  return null
}
