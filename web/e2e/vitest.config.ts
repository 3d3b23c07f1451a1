// End-to-end tests: the real server and a real browser. Two files run at the same time, each with its own
// server and browser, and in files whose tests do not disturb each other two tests (`test.concurrent`), because
// tests mostly wait for the engine and the network. Files that measure times follow one by one. So do pictures.
import { defineConfig } from 'vitest/config'

const all = ['e2e/*.e2e.ts']
const measured = ['e2e/speed.e2e.ts', 'e2e/golden.e2e.ts', 'e2e/motion.e2e.ts']

export default defineConfig(({ mode }) => {
  const isPictures = mode === 'screenshots' || mode === 'matrix'
  const shared = {
    environment: 'node',
    maxConcurrency: 2,
    // The files share no state, so that each worker loads the test driver once.
    isolate: false,
    testTimeout: 240_000,
    hookTimeout: 120_000,
    // The tests wait for what a player would wait for; a retry would hide a bug.
    retry: 0,
  }
  const together = { ...shared, name: 'together', include: all, exclude: measured, maxWorkers: 2, sequence: { groupOrder: 0 } }
  const alone = { ...shared, name: 'alone', include: isPictures ? [`e2e/${mode}.ts`] : measured, maxWorkers: 1, sequence: { groupOrder: 1 } }
  return {
    test: {
      globalSetup: mode === 'screenshots' ? [] : ['e2e/build.ts'],
      projects: (isPictures ? [alone] : [together, alone]).map((test) => ({ test })),
    },
  }
})
