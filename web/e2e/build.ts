// Builds the static site for the tests, once for all files.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

/** The sub-path of the site. */
export const BASE = '/games/azulejo/'

export default function build({ provide }: TestProject): () => void {
  const made = mkdtempSync(join(tmpdir(), 'azulejo-site-'))
  const web = join(import.meta.dirname, '..')
  if (!existsSync(join(web, 'module/azulejo_bg.wasm'))) throw new Error('there is no module: `cargo xtask web --browser` builds it')
  const options = ['--mode', 'site', '--base', BASE, '--outDir', made, '--emptyOutDir', '--logLevel', 'error']
  // Not the environment of a test, which would make a build for development.
  const env = { ...process.env, NODE_ENV: 'production', VITEST: '' }
  execFileSync(process.execPath, [join(web, 'node_modules/vite/bin/vite.js'), 'build', ...options], { cwd: web, env, stdio: 'ignore' })
  provide('site', made)
  return () => rmSync(made, { recursive: true, force: true })
}

declare module 'vitest' {
  interface ProvidedContext {
    site: string
  }
}
