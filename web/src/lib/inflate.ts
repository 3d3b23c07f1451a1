// Compressed messages of the server: binary, the JSON text in raw DEFLATE (RFC 1951). The browser inflates.

/** Whether this browser can inflate; the server is asked for patches, which it compresses, only then. */
export const canInflate = ((): boolean => {
  try {
    return Boolean(new DecompressionStream('deflate-raw'))
  } catch {
    return false
  }
})()

/** The text of a message: as it came, or inflated. */
export async function inflate(data: string | ArrayBuffer): Promise<string> {
  if (typeof data === 'string') return data
  const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return new Response(stream).text()
}
