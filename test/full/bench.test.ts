import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'

function runBench(...options: readonly string[]) {
  return spawnSync(process.execPath, ['test/bench/run-bench.ts', ...options], { encoding: 'utf8' })
}

describe('npm run bench', () => {
  it.each([
    [['--fast'], "'--fast'"],
    [['--only', 'acks,snacks'], 'There is no part “snacks”: acks, commands'],
  ])('refuses %j, in a sentence', (options, sentence) => {
    const { status, stderr } = runBench(...options)

    expect(status).toBe(1)
    expect(stderr).toContain(sentence)
    expect(stderr).not.toMatch(/^\s+at /m)
  })
})
