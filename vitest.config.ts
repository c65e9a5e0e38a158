import { defineConfig } from 'vitest/config'

const inBrowser = 'test/playground/page/**/*.test.ts'

export default defineConfig({
  test: {
    // One dot a test while all is well; failures in full.
    reporters: ['dot'],
    projects: [
      {
        test: { name: 'bot', include: ['test/**/*.test.ts'], exclude: [inBrowser], testTimeout: 20_000 },
      },
      {
        test: {
          name: 'page',
          include: [inBrowser],
          // One browser for all files.
          globalSetup: 'test/playground/page/browser-server.ts',
          testTimeout: 20_000,
          // Each test starts the bot.
          env: { NODE_COMPILE_CACHE: 'node_modules/.cache/bellhop-compiled' },
          // They wait more than they work: for the bot, for the browser, for the bad days.
          maxWorkers: 3,
        },
      },
    ],
  },
})
