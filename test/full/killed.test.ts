import { describe, expect, it } from 'vitest'
import { openProcessWorld } from '../playground-world.ts'

type ProcessWorld = Awaited<ReturnType<typeof openProcessWorld>>

const sent = ({ service }: ProcessWorld, method = 'POST') =>
  service.requests.filter((one) => one.method === method)

/** Alice adds Dave, or gives him more where he is. */
const writes = {
  POST: ({ alice, general }: ProcessWorld) => alice.types('/grant 12 dave@example.com viewer', general),
  async PUT({ alice, general, service }: ProcessWorld) {
    service.addMember(12, { email: 'dave@example.com', permissions: ['READ'] })
    await alice.types('/grant 12 dave@example.com viewer', general)
    await alice.presses('Change to Viewer', await alice.sees('already on', general))
    await alice.presses('Grant access', await alice.sees('READ → Viewer', general))
  },
}

describe('a bot that is killed (kill -9) after it sent a grant', () => {
  it.each(['POST', 'PUT'] as const)(
    'says at its next start that it is not certain, once, and sends nothing again: %s',
    async (method) => {
      const world = await openProcessWorld()
      const { alice, service, slack } = world
      const bot = await world.start()
      await world.connect()
      service.trouble.hang({ only: method, times: 1 })
      await writes[method](world)
      await world.requested(method, 1)
      bot.child.kill('SIGKILL')
      await new Promise((resolve) => bot.child.once('exit', resolve))

      await world.start()

      const told = await alice.sees('Not certain', alice.dm, { limitMs: 60_000 })
      expect(told.plain).toContain('I was stopped before I could store the answer')
      await slack.idle(6000)
      expect(alice.messages(alice.dm)).toHaveLength(1)
      expect(sent(world, method)).toHaveLength(1)
    },
    300_000,
  )

  it('tells the outcome within seconds of its next start, where it had kept it and could not tell it', async () => {
    const world = await openProcessWorld()
    const { alice, general, slack } = world
    const bot = await world.start()
    await world.connect()
    // Slack asks to wait, so the bot is still waiting when it is killed.
    const asking = slack.trouble.rateLimit('response_url', { retryAfterSeconds: 60 })
    await alice.types('/grant 12 dave@example.com viewer', general)
    await expect.poll(() => asking.isWaiting, { timeout: 30_000 }).toBe(false)
    bot.child.kill('SIGKILL')
    await new Promise((resolve) => bot.child.once('exit', resolve))

    await world.start()

    const told = await alice.sees('✅ Granted', alice.dm, { limitMs: 60_000 })
    expect(told.plain).toContain('Here’s the result of a grant you asked for earlier')
    await slack.idle(6000)
    expect(alice.messages(alice.dm)).toHaveLength(1)
    expect(sent(world)).toHaveLength(1)
  }, 300_000)

  it('does not take a grant that another process is sending for lost', async () => {
    const world = await openProcessWorld()
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
    expect(sent(world)).toHaveLength(1)
  })
})
