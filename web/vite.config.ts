// How the screen is built: one document, hashed files beside it, and a compressed copy of each, so
// that the server only has to choose. Nothing is inlined, for the content security policy.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

/** Leaves a compressed copy beside every file that is worth it. */
function squeeze(): Plugin {
  let folder = ''
  return {
    name: 'squeeze',
    apply: 'build',
    configResolved: (config) => {
      folder = config.build.outDir
    },
    closeBundle: () => {
      for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !/\.(html|js|css|svg|webmanifest)$/.test(entry.name)) continue
        const path = join(entry.parentPath, entry.name)
        writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }))
      }
    },
  }
}

// For work on the screen: `azulejo serve` beside `npx vite`.
const server = process.env.AZULEJO_SERVER ?? 'http://127.0.0.1:8137'
const proxy = { '/api': { target: server, ws: true } }

export default defineConfig({
  plugins: [svelte(), squeeze()],
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: { proxy },
  preview: { proxy },
  resolve: process.env.VITEST ? { conditions: ['browser'] } : {},
  test: { environment: 'jsdom', include: ['src/**/*.test.ts'] },
})
