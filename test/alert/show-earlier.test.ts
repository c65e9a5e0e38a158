import { describe, expect, it } from 'vitest'
import { bobToken, connects, openWorld } from '../world.ts'

const start = 1_700_000_000
const longStory = {
  ks: '5HkX',
  message: 'Disk full',
  severity: 2,
  timestamp: start,
  actions: Array.from({ length: 520 }, (_, index) => ({
    kind: 'Comment',
    timestamp: start + index,
    data: { message: `step ${index + 1} of it` },
  })),
}

const steps = (plain: string) => [...plain.matchAll(/step (\d+) of it/g)].map(([, step]) => Number(step))
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

describe('a long history', () => {
  it('shows its newest part, says how much of how much, and pages through all of it', async () => {
    const { alice, general, service } = await openWorld({ env: { RATE_PER_MINUTE: '100' } })
    service.addAlert(longStory)

    await alice.types('/alert 5HkX', general)
    const card = await alice.sees('Disk full', general)
    const reply = await alice.sees('newest 15 of 520', card)
    expect(steps(reply.plain)).toEqual(range(506, 520))

    await alice.presses('Show earlier', reply)
    const modal = await alice.seesModal('Alert history')
    const seen = new Set<number>()
    const until = (words: string) =>
      alice
        .sees(/./, general)
        .then(() => expect.poll(() => alice.modal?.plain, { timeout: 30_000, interval: 5 }).toContain(words))
    await until('Actions 496 to 505 of 520')
    for (let first = 496; ; first = Math.max(1, first - 10)) {
      await until(`Actions ${first} to`)
      for (const step of steps(alice.modal?.plain ?? '')) seen.add(step)
      if (first === 1) break
      await alice.presses('Show earlier', modal)
    }
    expect(modal.buttons).toEqual(['Show later'])
    expect([...seen].sort((a, b) => a - b)).toEqual(range(1, 505))
  })

  it('asks somebody without an account to connect, and says what to press after', async () => {
    const { alice, bob, general, service } = await openWorld()
    service.addAlert(longStory)
    await alice.types('/alert 5HkX', general)
    const card = await bob.sees('Disk full', general)
    const reply = await bob.sees('newest 15', card)
    await bob.presses('Show earlier', reply)
    await connects(bob, bobToken, await bob.sees('I need your monitoring account', card))

    await bob.sees('You’re connected. Press Show earlier again.', card)
    await bob.presses('Show earlier', reply)
    await expect.poll(() => bob.modal?.plain).toContain('Actions 496 to 505')
  })
})
