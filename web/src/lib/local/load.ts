// The WebAssembly module on its way into the page. It is fetched here and not in a worker, so that it loads
// beside the scripts; the browser compiles it while it arrives, and all workers share the result.

import { address, size } from 'virtual:files'

/** Fetches and compiles the module; `onprogress` hears which part has arrived, from 0 to 1. */
export async function loadModule(onprogress: (part: number) => void): Promise<WebAssembly.Module> {
  const response = await fetch(address)
  if (!response.ok || !response.body) throw new Error(`the module cannot be loaded: ${response.status}`)
  let received = 0
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (chunk, controller) => {
      received += chunk.length
      onprogress(Math.min(1, received / size))
      controller.enqueue(chunk)
    },
  })
  // Hosts that do not know the content type of WebAssembly need not.
  const headers = { 'content-type': 'application/wasm' }
  return WebAssembly.compileStreaming(new Response(response.body.pipeThrough(counter), { headers }))
}
