// The build: one document, hashed files beside it, and a gzip copy of each, so that the server only
// has to choose. Nothing is inlined because the content security policy forbids inline scripts.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { PAGES } from './src/lib/pages.ts'

/** Writes the path patterns of all pages, the file list of the service worker, and the gzip copies. */
function finish(): Plugin {
  let folder = ''
  return {
    name: 'finish',
    apply: 'build',
    configResolved: (config) => {
      folder = config.build.outDir
    },
    closeBundle: () => {
      writeFileSync(join(folder, 'pages.json'), JSON.stringify(Object.keys(PAGES)))
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

// The development server (`npx vite`) passes API calls on to a running `azulejo serve`.
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
