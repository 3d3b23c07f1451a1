// A record in the fragment of an address, which no server sees: deflated, in the letters of base64url.

const through = async (bytes: Uint8Array<ArrayBuffer>, stream: ReadableWritablePair<BufferSource, BufferSource>) =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream as ReadableWritablePair<Uint8Array, Uint8Array>)).arrayBuffer())

/** A longer fragment is no link that anybody can send. */
const MAX_PACKED = 100_000
/** A small text can unpack to a large one: no record is longer. */
const MAX_TEXT = 1_000_000

export async function pack(text: string): Promise<string> {
  const packed = await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'))
  const letters = Array.from(packed, (byte) => String.fromCharCode(byte)).join('')
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** The text of a fragment, or null if it is damaged. */
export async function unpack(packed: string): Promise<string | null> {
  if (packed.length > MAX_PACKED) return null
  try {
    const letters = atob(packed.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0))
    let left = MAX_TEXT
    const limit = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => ((left -= chunk.length) < 0 ? controller.error(new Error('too long')) : controller.enqueue(chunk)),
    })
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw') as ReadableWritablePair<Uint8Array<ArrayBuffer>, BufferSource>)
    return await new Response(stream.pipeThrough(limit)).text()
  } catch {
    return null
  }
}
