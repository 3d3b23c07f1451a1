// The entries of the top bar. One whose page is not in the list of pages does not appear.

import type { Key } from '../text/en.ts'
import { hasServer } from './api.ts'
import { PAGES } from './pages.ts'

const ENTRIES: { path: string; text: Key; isOnline?: boolean }[] = [
  { path: '/new', text: 'menu.play' },
  { path: '/learn', text: 'menu.learn' },
  { path: '/puzzles', text: 'menu.puzzles' },
  { path: '/analysis', text: 'menu.analysis' },
  { path: '/watch', text: 'menu.watch', isOnline: true },
]

export const MENU = ENTRIES.filter(({ path, isOnline }) => path in PAGES && (hasServer || !isOnline))

/** Whether a path belongs to the page of an entry. */
export const isAt = (path: string, entry: string) => path === entry || path.startsWith(`${entry}/`)
