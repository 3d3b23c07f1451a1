// How the screen is built: one document, hashed files beside it, and a compressed copy of each, so
// that the server only has to choose. Nothing is inlined, for the content security policy. The service
// worker is told which files there are.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

/** Tells the service worker the names of the files, and leaves a compressed copy beside each. */
function finish(): Plugin {
  let folder = ''
  return {
    name: 'finish',
    apply: 'build',
    configResolved: (config) => {
      folder = config.build.outDir
    },
    closeBundle: () => {
      const worker = join(folder, 'sw.js')
      const files = readdirSync(join(folder, 'assets')).map((name) => `/assets/${name}`)
      writeFileSync(worker, readFileSync(worker, 'utf8').replace('FILES = []', `FILES = ${JSON.stringify(files)}`))
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
  plugins: [svelte(), finish()],
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: { proxy },
  preview: { proxy },
  resolve: process.env.VITEST ? { conditions: ['browser'] } : {},
  test: { environment: 'jsdom', include: ['src/**/*.test.ts'] },
})
