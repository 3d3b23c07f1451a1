// The guided first game, against the weakest level, and whether this browser has ever played.

import { createGame } from './hosts.ts'
import { go } from './router.svelte.ts'
import { settings } from './settings.svelte.ts'
import { load, save } from './storage.ts'

const KEY = 'azulejo.guided'

/** Whether a game has the guide. */
export const isGuided = (id: string) => load<string | null>(KEY, null) === id

export async function startFirstGame(): Promise<void> {
  settings.tips = true
  settings.level = 1
  const { game } = await createGame({ seats: [{ kind: 'me' }, { kind: 'engine', level: 1 }], hints: true })
  save(KEY, game.id)
  go(`/game/${game.id}`)
}
