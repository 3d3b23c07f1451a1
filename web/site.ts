// What search engines and link previews are told. Both need the whole address of the site, which only a build
// for a static host knows: `AZULEJO_SITE=https://example.org/azulejo/`, set by `cargo xtask site --base`.
import type { HtmlTagDescriptor, Plugin } from 'vite'
import { PAGES } from './src/lib/pages.ts'

const address = process.env.AZULEJO_SITE

/** Adds the tags of a link preview to the document, and writes `robots.txt` and `sitemap.xml`. */
export function site(): Plugin {
  let base = '/'
  return {
    name: 'site',
    apply: 'build',
    configResolved: (config) => {
      base = config.base
    },
    transformIndexHtml: () => preview(address ?? base),
    generateBundle() {
      if (!address) return
      const emit = (fileName: string, source: string) => this.emitFile({ type: 'asset', fileName, source })
      emit('robots.txt', `User-agent: *\nAllow: /\nSitemap: ${address}sitemap.xml\n`)
      emit('sitemap.xml', siteMap(address))
    },
  }
}

function preview(root: string): HtmlTagDescriptor[] {
  const tags = {
    'og:type': 'website',
    'og:title': 'Azulejo',
    'og:description': 'Play the board game Azul in the browser: alone, on one device, or with friends by link.',
    'og:image': `${root}social.png`,
    'og:image:width': '1200',
    'og:image:height': '630',
    'og:image:alt': 'A wall of azulejo tiles in five colors',
    ...(address ? { 'og:url': address } : {}),
  }
  const meta = Object.entries(tags).map(([property, content]) => ({ tag: 'meta', attrs: { property, content } }))
  return [...meta, { tag: 'meta', attrs: { name: 'twitter:card', content: 'summary_large_image' } }]
}

/** The pages that have one address. */
function siteMap(root: string): string {
  const pages = Object.keys(PAGES).filter((pattern) => !pattern.includes(':'))
  const url = (page: string) => `  <url><loc>${root}${page.slice(1)}</loc></url>\n`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${pages.map(url).join('')}</urlset>\n`
}
