// End-to-end tests: the real program, the real browser. Two files at a time, because a machine has few
// cores and a game has an engine; pictures one after the other.
import { defineConfig } from 'vitest/config'

export default defineConfig(({ mode }) => ({
  test: {
    include: [mode === 'screenshots' ? 'e2e/screenshots.ts' : 'e2e/*.e2e.ts'],
    environment: 'node',
    maxWorkers: 2,
    testTimeout: 240_000,
    hookTimeout: 120_000,
    // What a person would wait for is waited for; a second try would hide a fault.
    retry: 0,
  },
}))
