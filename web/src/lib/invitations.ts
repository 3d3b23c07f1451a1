// Invitation links. The server shows each of them once; session storage keeps them until the tab is
// closed, so that a reload does not lose them.

import type { Invitation } from './types.ts'

const key = (id: string) => `azulejo.invitations.${id}`

/** The known links of a game, by seat. */
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
    // Without storage the creator makes new links when necessary.
  }
}
