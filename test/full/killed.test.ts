// kill -9 in the middle of a grant to several.
import { describe, expect, it } from 'vitest'
import { actsOf, trailOf, verdictOn } from '../audit/read.ts'
import { startPostgres } from '../postgres.ts'
import { type MortalWorld, openMortalWorld } from './faults/mortal.ts'
import { createAgingDatabase } from './faults/postgres-later.ts'

const postgres = await startPostgres()

/** Later than any lease. */
const laterMs = 60_000

const emailsSent = ({ service }: MortalWorld) =>
  service.requests
    .filter(({ method }) => method === 'POST')
    .map(({ body }) => String(Object(body).email))

describe.each([
  { engine: 'SQLite', create: async () => undefined },
  { engine: 'PostgreSQL', create: () => createAgingDatabase(postgres) },
])('a bot on $engine that is killed (kill -9) in the middle of nine people', ({ create }) => {
  it('is followed by two that tell once: granted, not certain, never sent; the rest can be tried, and the trail has it', async () => {
    const database = await create()
    const world = await openMortalWorld(database && { databaseUrl: database.url })
    const { alice, general, service, slack } = world
    const emails = Array.from({ length: 9 }, (_, index) => `p${index + 1}@example.com`)
    for (const email of emails) service.addUser({ email })
    const bot = await world.start()
    await world.connect()
    service.trouble.slow(300)
    await alice.types(`/grant 12 ${emails.join(',')} viewer`, general)
    await world.requested('POST', 1)
    service.trouble.hang({ only: 'POST', times: 4 })
    await world.requested('POST', 5)
    bot.child.kill('SIGKILL')
    await bot.ended
    service.trouble.clear()
    world.clock.move(laterMs)
    await database?.later(laterMs)

    await Promise.all([world.start(), world.start()])

    const told = await alice.sees('1 of 9 granted', alice.dm, { limitMs: 60_000 })
    expect(told.plain).toContain('Here’s the result of what you asked for earlier')
    expect(told.plain).toContain('✅ p1@example.com')
    expect(told.plain.match(/❓ p[2-5]@example.com may or may not be on/g)).toHaveLength(4)
    expect(told.plain.match(/➖ p[6-9]@example.com: not sent/g)).toHaveLength(4)
    expect(told.plain).toContain('The request may have gone out, but I was stopped')
    // Both have looked for what is left to tell.
    await slack.idle(6000)
    expect(alice.messages(alice.dm)).toHaveLength(1)
    expect(emailsSent(world)).toHaveLength(5)
    const uncertain = (await actsOf(world)).filter((act) => act === 'grant uncertain:stopped')
    expect(uncertain).toHaveLength(4)
    expect((await trailOf(world)).at(-1)).toMatchObject({ userId: alice.id })
    expect(await verdictOn(world)).toMatchObject({ isSound: true })
    await alice.presses('Try the rest again', told)
    await alice.sees('4 of 4 granted', alice.dm)
    expect(emailsSent(world).toSorted()).toEqual(emails)
  }, 300_000)
})
