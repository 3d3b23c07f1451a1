// Invitations that this browser was given. The server shows each of them once; here they last as
// long as the tab, so that a reload does not lose them.

import type { Invitation } from './types.ts'

const key = (id: string) => `azulejo.invitations.${id}`

/** The links of a game that are known here, by seat. */
export function known(id: string): Record<number, string> {
  try {
    return JSON.parse(sessionStorage.getItem(key(id)) ?? '{}')
  } catch {
    return {}
  }
}

export function remember(id: string, invitations: Invitation[]): void {
  const links = known(id)
  for (const { seat, link } of invitations) links[seat] = link
  try {
    sessionStorage.setItem(key(id), JSON.stringify(links))
  } catch {
    // Then they are made anew when they are needed.
  }
}
