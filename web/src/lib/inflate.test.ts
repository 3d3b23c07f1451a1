// @vitest-environment node
import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { canInflate, inflate } from './inflate.ts'

test('inflates binary messages and passes texts on', async () => {
  const text = JSON.stringify({ type: 'state', name: 'Ana ♥', moves: Array(100).fill('3B2') })
  const { buffer, byteOffset, byteLength } = deflateRawSync(text)
  expect(canInflate).toBe(true)
  expect(await inflate(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer)).toBe(text)
  expect(await inflate(text)).toBe(text)
})

test('refuses what is not DEFLATE', async () => {
  await expect(inflate(new Uint8Array([255, 255, 255]).buffer)).rejects.toThrow()
})
