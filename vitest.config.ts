import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // One dot a test while all is well; failures in full.
    reporters: ['dot'],
    testTimeout: 20_000,
  },
})
