import { defineConfig } from 'vitest/config'

const page = ['test/playground/page/**/*.test.ts', 'test/full/page/*.test.ts']
const alone = 'test/full/alone/*.test.ts'
/** Long by nature: processes that are started, and killed at each step, and thousands of texts. */
const long = ['test/**/*.long.test.ts', 'test/full/**/*.test.ts']

const every = {
  testTimeout: 20_000,
  // Many tests start the bot as a process of its own.
  env: { NODE_COMPILE_CACHE: 'node_modules/.cache/bellhop-compiled' },
  // They wait more than they work: for the bot, for the browser, for the bad days.
  maxWorkers: 4,
}

/** A worker keeps the bot's modules for the next file: loading them again for each costs more than half of the time. */
const together = { ...every, isolate: false }

/** Several browser windows at once on a slow machine. What is waited for in them has limits of its own. */
const windows = { ...together, testTimeout: 60_000 }

export default defineConfig({
  test: {
    // One dot a test while all is well; failures in full.
    reporters: ['dot'],
    projects: [
      {
        test: {
          ...together,
          name: 'bot',
          include: ['test/**/*.test.ts'],
          exclude: [...long, ...page],
        },
      },
      { test: { ...windows, name: 'page', include: page } },
      { test: { ...every, name: 'full', include: long, exclude: [...page, alone] } },
      // Under load of their own making: one at a time, after all others.
      {
        test: { ...every, name: 'alone', include: [alone], maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
})
