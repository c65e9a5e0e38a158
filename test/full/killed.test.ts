// kill -9 in the middle of a grant to several, and after an outcome that could not be told; a restart beside a sender.
import { describe, expect, it } from 'vitest'
import { actsOf, trailOf, verdictOn } from '../audit/read.ts'
import { startPostgres } from '../postgres.ts'
import { type MortalWorld, openMortalWorld } from './faults/mortal.ts'
import { createAgingDatabase } from './faults/postgres-later.ts'

const postgres = await startPostgres()

/** Later than any lease. */
const laterMs = 60_000

const emailsSent = ({ service }: MortalWorld) =>
  service.requests.filter(({ method }) => method === 'POST').map(({ body }) => String(Object(body).email))

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
    world.jump(laterMs)
    await database?.later(laterMs)

    await Promise.all([world.start(), world.start()])

    const told = await alice.sees('1 of 9 granted', alice.dm, { limitMs: 60_000 })
    expect(told.plain).toContain('Here’s the result of a grant you asked for earlier')
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
    expect(await verdictOn(world)).toMatchObject({ fault: undefined, unknownKeys: new Map() })
    await alice.presses('Try the rest again', told)
    await alice.sees('4 of 4 granted', alice.dm)
    expect(emailsSent(world).toSorted()).toEqual(emails)
  }, 300_000)
})

/** Alice gives Dave, who is there already, more. */
async function changesDave({ alice, general, service }: MortalWorld): Promise<void> {
  service.addMember(12, { email: 'dave@example.com', permissions: ['READ'] })
  await alice.types('/grant 12 dave@example.com viewer', general)
  await alice.presses('Change to Viewer', await alice.sees('already on', general))
  await alice.presses('Grant access', await alice.sees('READ → Viewer', general))
}

describe('a bot that is killed (kill -9) after it sent a change', () => {
  it('says after its next start that it is not certain, once, and sends nothing again', async () => {
    const world = await openMortalWorld()
    const { alice, service, slack } = world
    const bot = await world.start()
    await world.connect()
    service.trouble.hang({ only: 'PUT', times: 1 })
    await changesDave(world)
    await world.requested('PUT', 1)
    bot.child.kill('SIGKILL')
    await bot.ended
    world.jump(laterMs)

    await world.start()

    const told = await alice.sees('Not certain', alice.dm, { limitMs: 60_000 })
    expect(told.plain).toContain('I was stopped before I could store the answer')
    await slack.idle(6000)
    expect(alice.messages(alice.dm)).toHaveLength(1)
    expect(service.requests.filter(({ method }) => method === 'PUT')).toHaveLength(1)
  }, 300_000)
})

describe('a bot that is killed (kill -9) after it sent a grant', () => {
  it('tells the outcome soon after its next start, where it had kept it and could not tell it', async () => {
    const world = await openMortalWorld()
    const { alice, general, slack } = world
    const bot = await world.start()
    await world.connect()
    // Slack asks to wait, so the bot is still waiting when it is killed.
    const asking = slack.trouble.rateLimit('response_url', { retryAfterSeconds: 60 })
    await alice.types('/grant 12 dave@example.com viewer', general)
    await expect.poll(() => asking.isWaiting, { timeout: 30_000 }).toBe(false)
    bot.child.kill('SIGKILL')
    await bot.ended
    world.jump(laterMs)

    await world.start()

    const told = await alice.sees('✅ Granted', alice.dm, { limitMs: 60_000 })
    expect(told.plain).toContain('Here’s the result of a grant you asked for earlier')
    await slack.idle(6000)
    expect(alice.messages(alice.dm)).toHaveLength(1)
    expect(emailsSent(world)).toHaveLength(1)
  }, 300_000)

  it('does not take a grant that another process is sending for lost', async () => {
    const world = await openMortalWorld()
    const { alice, general, service, slack } = world
    await world.start()
    await world.connect()
    service.trouble.slow(2000)
    await alice.types('/grant 12 dave@example.com viewer', general)
    await world.requested('POST', 1)

    await world.start()

    await alice.sees('Granted', general)
    await slack.idle(1000)
    expect(alice.messages(alice.dm)).toEqual([])
    expect(emailsSent(world)).toHaveLength(1)
  })
})
