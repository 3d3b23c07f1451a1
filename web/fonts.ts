// The fonts of `src/fonts.css`: loaded together with the document, and their licenses beside them.
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const PACKAGES = ['@fontsource/fraunces', '@fontsource-variable/figtree']

export function fonts(): Plugin {
  let base = '/'
  return {
    name: 'fonts',
    apply: 'build',
    configResolved: (config) => {
      base = config.base
    },
    generateBundle() {
      const license = (name: string) => `${name}\n\n${readFileSync(`node_modules/${name}/LICENSE`, 'utf8')}`
      this.emitFile({ type: 'asset', fileName: 'fonts-license.txt', source: PACKAGES.map(license).join('\n\n') })
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle }) => {
        const files = Object.keys(bundle ?? {}).filter((name) => name.endsWith('.woff2'))
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '' }
        return files.map((name) => ({ tag: 'link', attrs: { ...attrs, href: base + name } }))
      },
    },
  }
}
