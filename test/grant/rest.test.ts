// Try the rest again: for those who were certainly not granted and could be, and nobody else.
import { describe, expect, it } from 'vitest'
import { posts } from '../world.ts'
import { added, answered, asked, changes, openSeveral, results } from './several-world.ts'

const minutes = 60_000

/** Two of four were asked to come back later. */
async function openHalfDone() {
  const { world, line } = await openSeveral(4)
  const { alice, general, service } = world
  service.trouble.answer(429, { only: 'POST', times: 2 })
  await alice.types(line, general)
  const result = await alice.sees('2 of 4 granted', general)
  return { world, result, left: answered(world, 429), got: added(world) }
}

describe('Try the rest again', () => {
  it('asks for those whom the service was too busy for, and for nobody else', async () => {
    const { world, result, left, got } = await openHalfDone()
    const { alice, general } = world
    expect(result.plain.match(/⏳ p\d@example.com: monitoring is busy/g)).toHaveLength(2)
    expect(result.buttons).toEqual(['Try the rest again', 'Share in channel', ...changes(got)])

    await alice.presses('Try the rest again', result)

    const rest = await alice.sees('2 of 2 granted', general)
    for (const email of left) expect(rest.plain).toContain(`✅ ${email}`)
    expect(asked(world).slice(4).toSorted()).toEqual(left)
    expect((await alice.sees('2 of 4 granted', general)).buttons).toEqual([
      'Share in channel',
      ...changes(got),
    ])
  })

  it('asks once when it is pressed twice, at once or later, and by a request that is replayed', async () => {
    const { world, result } = await openHalfDone()
    const { alice, general, slack, service, clock } = world
    service.trouble.slow(50)

    const [delivery] = await Promise.all([
      alice.presses('Try the rest again', result),
      alice.presses('Try the rest again', result),
    ])
    await alice.sees('2 of 2 granted', general)
    clock.advance(minutes)
    await slack.redeliver(delivery)
    await slack.idle()

    expect(posts(world)).toHaveLength(6)
    expect(results(alice, general)).toHaveLength(2)
  })
})

describe('a batch that is under way when Bellhop is stopped', () => {
  it('begins nobody more, tells all, and offers those who were not sent', async () => {
    const { world, line } = await openSeveral(12)
    const { alice, general, service } = world
    service.trouble.slow(300)
    await alice.types(line, general)
    await world.serviceWasAsked('/container/12/user', 5)

    await world.restart()

    const result = await alice.sees('5 of 12 granted', general)
    expect(result.plain.match(/➖ p\d+@example.com: not sent/g)).toHaveLength(7)
    await alice.presses('Try the rest again', result)
    await alice.sees('7 of 7 granted', general)
    expect(posts(world)).toHaveLength(12)
  })
})
