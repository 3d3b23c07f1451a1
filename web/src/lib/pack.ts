// The games of this browser as one text for another device: compressed, in base64. The server passes it on
// without reading it.

import { inflate } from './inflate.ts'

/** The largest text that a server takes (`MAX_GAMES` of `api/transfer.rs`). */
export const MAX_PACK = 256 * 1024

async function packed(lines: string[]): Promise<string> {
  const stream = new Blob([lines.join('\n')]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer())
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

/** When the game of a line was last changed. */
function updated(line: string): number {
  try {
    return JSON.parse(line).summary?.updated_ms ?? 0
  } catch {
    return 0
  }
}

/** As many games as fit, the latest first, and how many do not fit. */
export async function pack(lines: string[], max = MAX_PACK): Promise<{ games: string; n: number; left: number }> {
  const latest = [...lines].sort((a, b) => updated(b) - updated(a))
  let n = latest.length
  let games = await packed(latest)
  while (games.length > max && n > 0) {
    n = Math.min(n - 1, Math.floor((n * max) / games.length))
    games = await packed(latest.slice(0, n))
  }
  return { games, n, left: latest.length - n }
}

/** The lines of a packed text. */
export async function unpack(games: string): Promise<string> {
  return games ? inflate(Uint8Array.from(atob(games), (c) => c.charCodeAt(0)).buffer) : ''
}
