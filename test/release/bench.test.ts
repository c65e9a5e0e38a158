import { spawnSync } from 'node:child_process'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Cores } from '../../bench/cores.ts'
import { openStage } from '../../bench/stage.ts'

function runBench(...options: readonly string[]) {
  return spawnSync(process.execPath, ['bench/run-bench.ts', ...options], { encoding: 'utf8' })
}

async function openTestStage(cores: Cores | undefined = undefined) {
  const stage = await openStage({ cores })
  onTestFinished(() => stage.close())
  return stage
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

  it('counts what Bellhop does as done when every command has its card and its reply', async () => {
    const stage = await openTestStage()
    const { load } = await stage.start(await stage.fromSources())

    const { count, lastPostMs } = await load.commands(30, 5)
    await load.presses(10, 5)
    await load.helps(10, 5)

    expect([count, lastPostMs.length]).toEqual([30, 30])
    expect(stage.books.add()).toEqual({ commands: 30, cards: 30, replies: 30 })
  }, 300_000)
})
