// Players must not ask the engine about a game that they are playing with others.

import { currentPerson, hasServer, myGames, remote } from '../api.ts'

/** The id of the person's own running game on the server that has this position now, or the name of the record, or null. */
export async function runningGame(position: string, named?: string): Promise<string | null> {
  if (!hasServer || !(await currentPerson().catch(() => null))) return null
  const { games } = await myGames().catch(() => ({ games: [] }))
  const isOthers = ({ status, seats, your_seats = [] }: (typeof games)[number]) => status === 'playing' && seats.some(({ kind }, i) => kind !== 'engine' && !your_seats.includes(i + 1))
  for (const { id } of games.filter(isOthers)) {
    if (id === named) return id
    const game = await remote.state(id).catch(() => null)
    if (game?.position.position === position) return id
  }
  return null
}
