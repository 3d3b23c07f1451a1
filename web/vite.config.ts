// The build: one document, hashed files beside it, and compressed copies of each, so that the server only
// has to choose. Nothing is inlined because the content security policy forbids inline scripts.
//
// `module/` holds the WebAssembly module of `crates/wasm`; without it the app asks a server for everything.
// `--mode site` builds an app that has no server, `--base /path/` one for a sub-path.
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import type { Plugin, Rolldown } from 'vite'
import { defineConfig } from 'vitest/config'
import { fonts } from './fonts.ts'
import { site } from './site.ts'
import { PAGES } from './src/lib/pages.ts'

/** Writes the path patterns of all pages, the lists of the service worker, and the compressed copies. */
function finish(): Plugin {
  let folder = ''
  return {
    name: 'finish',
    apply: 'build',
    configResolved: (config) => {
      folder = config.build.outDir
    },
    writeBundle: () => {
      writeFileSync(join(folder, 'pages.json'), JSON.stringify(Object.keys(PAGES)))
      // Static hosts answer with this document at the addresses of all other pages.
      copyFileSync(join(folder, 'index.html'), join(folder, '404.html'))
      const worker = join(folder, 'sw.js')
      const files = readdirSync(join(folder, 'assets')).map((name) => `assets/${name}`)
      const pages = [...new Set(Object.keys(PAGES).map((pattern) => pattern.split('/')[1]))]
      const filled = readFileSync(worker, 'utf8')
        .replace('FILES = []', `FILES = ${JSON.stringify(files)}`)
        .replace('PAGES = []', `PAGES = ${JSON.stringify(pages)}`)
      writeFileSync(worker, filled)
      for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !/\.(html|js|css|svg|txt|xml|webmanifest|wasm|net)$/.test(entry.name)) continue
        const path = join(entry.parentPath, entry.name)
        const content = readFileSync(path)
        writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
        writeFileSync(`${path}.br`, brotliCompressSync(content))
      }
    },
  }
}

/** Puts the base before the links of components, which are written from the root: `href="/learn"`. */
function links(): Plugin {
  let base = '/'
  return {
    name: 'links',
    enforce: 'pre',
    configResolved: (config) => {
      base = config.base
    },
    transform: (code, id) => (base !== '/' && id.endsWith('.svelte') ? code.replaceAll('href="/', `href="${base}`) : null),
  }
}

// The folder that the build of the module fills; an empty one is left out of this build.
const folder = resolve('module')
const hasModule = existsSync(join(folder, 'azulejo_bg.wasm'))

/**
 * `virtual:module`, the glue code of the module, and `virtual:files`, its addresses; without a module nothing
 * that they export is there, and nobody asks for it.
 */
function module(): Plugin {
  const file = (name: string) => JSON.stringify(join(folder, name))
  const glue = () => `export * from ${file('azulejo.js')}\nexport { default as init } from ${file('azulejo.js')}`
  const files = () => `
    export { default as address } from ${file('azulejo_bg.wasm?url')}
    export { default as network } from ${file('azulejo.net?url')}
    export const size = ${statSync(join(folder, 'azulejo_bg.wasm')).size}`
  const code: Record<string, () => string> = { '\0virtual:module': glue, '\0virtual:files': files }
  let base = '/'
  return {
    name: 'module',
    configResolved: (config) => {
      base = config.base
    },
    resolveId: (id) => (`\0${id}` in code ? `\0${id}` : null),
    load: (id) => (code[id] ? (hasModule ? code[id]() : '') : null),
    // The files of a local game load beside the first script instead of after it.
    transformIndexHtml: (_, { bundle = {} }) =>
      Object.keys(bundle).flatMap((name) => {
        const kind = name.endsWith('.wasm') ? { rel: 'preload', as: 'fetch', crossorigin: '' } : { rel: 'modulepreload' }
        const attrs = { ...kind, href: base + name, fetchpriority: 'low' }
        return hasModule && /\/(azulejo_bg|worker)-/.test(name) ? [{ tag: 'link', attrs, injectTo: 'head' as const }] : []
      }),
  }
}

type ChunkingContext = Rolldown.ChunkingContext

/** Everything that a module imports, directly or not, as far as it is not fetched on demand. */
function imports(of: string, context: ChunkingContext, found = new Set<string>()): Set<string> {
  if (found.has(of)) return found
  found.add(of)
  for (const id of context.getModuleInfo(of)?.importedIds ?? []) imports(id, context, found)
  return found
}

/** One file for the start page and one for the table, instead of one for each set of pages that share something. */
const groups = [
  ['start', resolve('src/main.ts')],
  ['table', resolve('src/pages/Game.svelte')],
].map(([name = '', root = '']) => {
  let all: Set<string> | null = null
  return { debugName: name, name: (id: string, context: ChunkingContext) => ((all ??= imports(root, context)).has(id) ? name : null) }
})

// The development server (`npx vite`) passes API calls on to a running `azulejo serve`.
const server = process.env.AZULEJO_SERVER ?? 'http://127.0.0.1:8137'
const proxy = { '/api': { target: server, ws: true } }

export default defineConfig({
  plugins: [links(), module(), svelte(), fonts(), site(), finish()],
  define: { HAS_MODULE: JSON.stringify(hasModule) },
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false }, rolldownOptions: { shimMissingExports: !hasModule, output: { codeSplitting: { groups } } } },
  worker: { format: 'es', plugins: () => [module()], rolldownOptions: { shimMissingExports: !hasModule } },
  server: { proxy },
  preview: { proxy },
  resolve: process.env.VITEST ? { conditions: ['browser'] } : {},
  test: { environment: 'jsdom', include: ['src/**/*.test.ts'] },
})
