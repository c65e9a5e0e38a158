// A bot that is killed leaves an audit trail that holds, with what it could not record itself.
import { describe, expect, it } from 'vitest'
import { actsOf, trailOf, verdictOn } from '../audit/read.ts'
import { openProcessWorld } from '../playground-world.ts'

describe('a bot that is killed (kill -9) while it grants', () => {
  it('has the grant in its trail after the next start, as not certain, once', async () => {
    const world = await openProcessWorld()
    const { alice, general, service } = world
    const bot = await world.start()
    await world.connect()
    service.trouble.hang({ only: 'POST', times: 1 })
    await alice.types('/grant 12 dave@example.com viewer', general)
    await world.requested('POST', 1)
    bot.child.kill('SIGKILL')
    await new Promise((resolve) => bot.child.once('exit', resolve))

    // Both see what is owed, and one of them tells it.
    await Promise.all([world.start(), world.start()])
    await alice.sees('Not certain', alice.dm, { limitMs: 40_000 })

    expect(await actsOf(world)).toEqual(['connect done', 'grant uncertain:stopped'])
    expect((await trailOf(world)).at(-1)).toMatchObject({ userId: alice.id, email: 'dave@example.com' })
    expect(await verdictOn(world)).toMatchObject({ fault: undefined, unknownKeys: new Map(), count: 2 })
  }, 300_000)
})
