// The truth about an approval is told last, and once, however long Slack takes for a card or a message.
import { describe, expect, it } from 'vitest'
import { lists, losesAnswer, patient } from '../grant/look-again-world.ts'
import { holdAtSlack, holdIntervals, pass } from '../held-slack.ts'
import type { WorldOptions } from '../world.ts'
import { asked, type Colleagues, line, openColleagues, posts } from './colleagues.ts'

const seconds = 1_000
const asMember = `${line} member`

/** Bob has asked, the service will not answer Carol, and Slack takes its time for as long as the test says. */
async function openSlow(options: WorldOptions = {}) {
  holdIntervals()
  const slackWait = holdAtSlack()
  const { wait = slackWait.wait } = options
  const world = await openColleagues({ wait: (ms) => (ms < 60 * seconds ? wait(ms) : slackWait.wait(ms)) })
  world.expectRefusals()
  const card = await asked(world, asMember)
  losesAnswer(world, false)
  return { world, card, slackWait }
}

function addsDave({ service }: Colleagues): void {
  const permissions = ['READ', 'API', 'REPORTING_VIEW', 'VIEW_LOG']
  service.addMember(12, { email: 'dave@example.com', member: true, permissions })
}

describe('an approval that monitoring shows late', () => {
  it('is granted for everybody in the end, though Slack holds up the card until after that', async () => {
    const { world, card, slackWait } = await openSlow()
    const { bob, carol, slack } = world
    slack.trouble.rateLimit('chat.update', { retryAfterSeconds: 60 })
    await carol.presses('Approve', card)
    await expect.poll(() => lists(world)).toHaveLength(3)
    expect(slackWait.held).toHaveLength(1)
    addsDave(world)
    await pass(world, 40 * seconds)
    await expect.poll(() => lists(world)).toHaveLength(4)
    expect(bob.messages(bob.dm)).toEqual([])

    slackWait.letGo()
    await bob.sees(/by carol/, bob.dm, patient)
    await pass(world, 20 * seconds)

    await bob.sees('✅ Granted by carol', bob.dm, patient)
    await slack.idle()
    expect(card.plain).toMatch(/^✅ Granted by carol/)
    expect(posts(world)).toHaveLength(2)
  })

  it('is told to be granted, and not to be uncertain after that, by whoever Slack has kept waiting', async () => {
    const looking = Promise.withResolvers<void>()
    // Between the looks that follow the request.
    const wait = (ms: number) => (ms === seconds ? looking.promise : new Promise<void>(setImmediate))
    const { world, card, slackWait } = await openSlow({ wait })
    const { alice, bob, carol, general, slack } = world
    await carol.presses('Approve', card)
    await alice.sees('granting now', general)
    slack.trouble.rateLimit('chat.update', { retryAfterSeconds: 60 })
    looking.resolve()
    await expect.poll(() => slackWait.held).toHaveLength(1)
    addsDave(world)
    await pass(world, 40 * seconds)
    await bob.sees('✅ Granted by carol', bob.dm, patient)
    await carol.sees('✅ Granted by you', carol.dm, patient)

    slackWait.letGo()
    await slack.idle(100)

    expect(bob.messages(bob.dm).map(({ plain }) => plain)).toEqual([expect.stringContaining('✅ Granted')])
    expect(carol.screen(carol.dm)).not.toContain('❓')
    expect(carol.screen(general)).not.toContain('❓')
    expect(card.thread.map(({ plain }) => plain)).toEqual([expect.stringContaining('this replaces it')])
    expect(card.plain).toMatch(/^✅ Granted by carol/)
  })
})
