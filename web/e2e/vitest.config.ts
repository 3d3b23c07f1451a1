// End-to-end tests: the real server and a real browser. Two files run at the same time, each with its own
// server and browser, and in files whose tests do not disturb each other two tests (`test.concurrent`), because
// tests mostly wait for the engine and the network. Screenshots run one by one.
import { defineConfig } from 'vitest/config'

export default defineConfig(({ mode }) => ({
  test: {
    include: [mode === 'screenshots' || mode === 'matrix' ? `e2e/${mode}.ts` : 'e2e/*.e2e.ts'],
    environment: 'node',
    globalSetup: mode === 'screenshots' ? [] : ['e2e/build.ts'],
    maxWorkers: 2,
    maxConcurrency: 2,
    // The files share no state, so that each worker loads the test driver once.
    isolate: false,
    testTimeout: 240_000,
    hookTimeout: 120_000,
    // The tests wait for what a player would wait for; a retry would hide a bug.
    retry: 0,
  },
}))
