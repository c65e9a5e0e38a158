import { spawnSync } from 'node:child_process'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import type { Cores } from '../../bench/cores.ts'
import { openStage } from '../../bench/stage.ts'

const measured = z.array(z.number()).min(1)
const benched = z.object({
  machine: z.object({
    cores: z.int(),
    cpu: z.string(),
    node: z.literal(process.version),
    platform: z.string(),
  }),
  parts: z.array(
    z.object({
      part: z.string(),
      figures: z.array(z.object({ what: z.string(), who: z.string(), unit: z.string(), values: measured })),
    }),
  ),
})

function runBench(...options: readonly string[]) {
  return spawnSync(process.execPath, ['bench/run-bench.ts', ...options], { encoding: 'utf8' })
}

async function openTestStage(cores: Cores | undefined = undefined) {
  const stage = await openStage({ cores })
  onTestFinished(() => stage.close())
  return stage
}

describe('npm run bench', () => {
  it('prints as JSON what it has measured, and nothing else', () => {
    const { status, stdout } = runBench('--quick', '--json', '--only', 'start')

    expect(status).toBe(0)
    const { parts } = benched.parse(JSON.parse(stdout))
    expect(parts.map(({ part }) => part)).toEqual(['start'])
  }, 300_000)

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
    const { load } = await stage.start(await stage.bellhop())

    const { count, cardMs } = await load.commands(30, 5)
    await load.presses(10, 5)
    await load.helps(10, 5)

    expect([count, cardMs.length]).toEqual([30, 30])
    expect(stage.books.add()).toEqual({ commands: 30, cards: 30, replies: 30 })
  }, 300_000)
})
