// Files that the player saves and opens.

import type { Host } from './host.ts'

/** Saves a text as a file. */
export function download(text: string, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text]))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

/** Saves the record of a game. */
export async function saveRecord(host: Host, id: string, format: 'text' | 'json'): Promise<void> {
  download(await host.record(id, format), `azulejo-${id}.${format === 'text' ? 'txt' : 'json'}`)
}
