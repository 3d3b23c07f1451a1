// Values kept in the browser's storage as JSON. A browser may forbid storage: then nothing is kept, and
// loading gives the fallback.

/** A function, because reading the global itself throws if storage is forbidden. */
type Area = () => Storage
const local: Area = () => localStorage

export function load<T>(key: string, fallback: T, area = local): T {
  try {
    return JSON.parse(area().getItem(key) ?? '')
  } catch {
    return fallback
  }
}

const PLAYED = 'azulejo.played'

/** Whether this browser has played before. */
export const hasPlayed = () => load(PLAYED, false)
export const notePlayed = () => save(PLAYED, true)

export function save(key: string, value: unknown, area = local): void {
  try {
    area().setItem(key, JSON.stringify(value))
  } catch {
    // The value lasts until the page is closed.
  }
}
