// Invitation links. The server shows each of them once; session storage keeps them until the tab is
// closed, so that a reload does not lose them. Without storage the creator makes new links when necessary.

import { load, save } from './storage.ts'
import type { Invitation } from './types.ts'

const key = (id: string) => `azulejo.invitations.${id}`

/** The known links of a game, by seat. */
export const known = (id: string) => load<Record<number, string>>(key(id), {}, () => sessionStorage)

export function remember(id: string, invitations: Invitation[]): void {
  const links = invitations.map(({ seat, link }) => [seat, link])
  save(key(id), { ...known(id), ...Object.fromEntries(links) }, () => sessionStorage)
}
