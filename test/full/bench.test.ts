import { spawnSync } from 'node:child_process'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { openBenchWorld } from '../bench/bench-world.ts'
import { createLoad } from '../bench/load.ts'
import { startWitness } from '../bench/witness.ts'

const count = z.int().positive()
const figure = z.object({ name: z.string(), unit: z.string(), values: count })
const measured = z.number().positive()
const benched = z.object({
  plan: z.object({ starts: count, rounds: count, roundMs: count }),
  machine: z.object({
    cores: count,
    cpu: z.string(),
    node: z.literal(process.version),
    platform: z.string(),
  }),
  figures: z.array(figure.extend({ median: measured, lowest: measured, highest: measured })),
  counts: z.object({ acks: count, commands: count, cards: count, replies: count }),
})

function runBench(...options: readonly string[]) {
  return spawnSync(process.execPath, ['test/bench/run-bench.ts', ...options], { encoding: 'utf8' })
}

describe('npm run bench', () => {
  it('prints as JSON what it has measured, of work that was all done', () => {
    const { status, stdout, stderr } = runBench('--quick', '--json')

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const { plan, figures, counts } = benched.parse(JSON.parse(stdout))
    const valuesOf = Object.fromEntries(figures.map(({ name, values }) => [name, values]))
    expect(valuesOf).toMatchObject({
      'start until /healthz says 200': plan.starts,
      '/alert help: acks': plan.rounds,
      '/alert <key>: card and thread': plan.rounds,
      'with latency: until the card, p99': plan.rounds,
    })
    // Those of warming up come on top.
    expect(counts.cards).toBeGreaterThan(counts.commands)
    expect(counts.replies).toBe(counts.cards)
  }, 90_000)

  it('refuses an option that it does not know, in a sentence', () => {
    const { status, stderr } = runBench('--fast')

    expect(status).toBe(1)
    expect(stderr).toContain("'--fast'")
    expect(stderr).not.toMatch(/^\s+at /m)
  })

  it('gives no figure when Slack does not take a card', async () => {
    const world = await openBenchWorld()
    onTestFinished(() => world.stop())
    const { bot } = await world.start()
    await world.connect()
    const load = createLoad(world, bot, startWitness(world.slack))
    onTestFinished(() => load.stop())
    world.slack.trouble.fail('chat.postMessage', { error: 'is_archived' })

    await expect(load.commands(1)).rejects.toThrow('Slack refused chat.postMessage: is_archived.')
  }, 30_000)
})
