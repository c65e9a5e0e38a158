// The truth within seconds: of a process that died, by whichever lives; and of one that was only taken for dead.
import { describe, expect, it } from 'vitest'
import { takeStep } from '../../src/send/request.ts'
import { actsOf } from '../audit/read.ts'
import { holdAtSlack, holdIntervals, pass } from '../held-slack.ts'
import { addsDaveTo, asAnother, died as leftBehind, type When } from '../send/left-behind.ts'
import { openWorld, posts, type World } from '../world.ts'

const line = '/grant 12 dave@example.com viewer'
const seconds = 1_000
/** A little longer than one request to the service can take. */
const lease = 12 * seconds

function died(world: World, when: When, id?: string): Promise<void> {
  return leftBehind(world, when, addsDaveTo(12), id)
}

describe('a grant of a process that died', () => {
  it('that had sent nothing is told as one person’s, late and at an old button, and can be tried again', async () => {
    const world = await openWorld()
    const { alice, clock, general } = world
    await died(world, 'begun')
    await alice.types('/grant 12 dave@example.com WEBHOOKS', general)
    const confirmation = await alice.sees('Sensitive flags', general)
    await died(world, 'begun', String(confirmation.control('Cancel')?.element.value))
    clock.advance(lease)
    await asAnother(world, ({ requests }) => requests.takeDue(takeStep, 50))
    clock.advance(lease)
    const words =
      /^➖ Not sent: I was stopped before I sent anything\n.* on container 12 for dave@example.com\n/

    await alice.presses('Cancel', confirmation)
    const atOnce = await alice.sees('Not sent', general)
    await world.restart()
    const late = await alice.sees(/READ and API .*\nHere’s the result of what you asked/, alice.dm)

    for (const told of [atOnce, late]) {
      expect(told.plain).toMatch(words)
      expect(told.plain).not.toMatch(/0 of 1|The rest|rest\b/)
    }
    await alice.presses('Try again', late)
    await alice.sees('✅ Granted', alice.dm)
    expect(posts(world)).toHaveLength(1)
  })

  it('is tried again a minute later, not at each look, when Slack refuses the message', async () => {
    const world = await openWorld()
    const { alice, clock, slack } = world
    world.expectRefusals()
    await died(world, 'telling')
    clock.advance(lease)
    slack.trouble.fail('chat.postMessage', { error: 'fatal_error' }, { times: 1 })
    const tries = () => slack.calls.filter(({ method }) => method === 'chat.postMessage')

    await world.restart()
    await expect.poll(tries).toHaveLength(1)
    // It is put off.
    await slack.idle(100)
    clock.advance(60 * seconds - lease)
    await world.restart()
    await slack.idle(200)
    expect(tries()).toHaveLength(1)
    clock.advance(lease)
    await world.restart()

    await alice.sees('Here’s the result of what you asked for earlier', alice.dm)
    expect((await actsOf(world)).filter((act) => act.startsWith('grant'))).toEqual(['grant done'])
  })
})

describe('an outcome whose sender waits for Slack, for minutes', () => {
  it('is told once, though other processes look for what was left untold', async () => {
    holdIntervals()
    const slackWait = holdAtSlack()
    const world = await openWorld({ wait: slackWait.wait })
    const { alice, general, slack } = world
    world.expectRefusals()
    await world.startAnother()
    slack.trouble.fail('response_url', { status: 500 }, { times: 1 })
    slack.trouble.rateLimit('chat.postMessage', { retryAfterSeconds: 60 })
    await alice.types(line, general)
    await expect.poll(() => slackWait.held).toHaveLength(1)

    await pass(world, 60 * seconds)
    expect(alice.messages(alice.dm)).toEqual([])
    slackWait.letGo()

    await alice.sees('✅ Granted', alice.dm)
    await pass(world, 30 * seconds)
    await slack.idle(100)
    expect(alice.messages(alice.dm)).toHaveLength(1)
  })
})

describe('a grant whose sender was taken for dead and comes back', () => {
  it('stays not certain, for whoever was told so, until they look again', async () => {
    const world = await openWorld({ budgetMs: 8_000 })
    const { alice, general, service, clock, slack } = world
    service.trouble.slow(3_000, { only: 'POST' })
    await alice.types(`${line} member`, general)
    await world.serviceWasAsked('/container/12/user', 1)
    clock.advance(lease + seconds)
    await world.startAnother()
    const doubt = await alice.sees('❓ Not certain', alice.dm)

    await expect.poll(() => service.membersOf(12)).toHaveLength(1)
    await slack.idle()
    expect(alice.messages(general)).toEqual([])
    await alice.presses('Look again', doubt)

    await alice.sees('✅ Granted', alice.dm)
    expect(posts(world)).toHaveLength(1)
    expect((await actsOf(world)).filter((act) => act.startsWith('grant'))).toEqual([
      'grant uncertain:stopped',
      'grant done',
    ])
  })
})
