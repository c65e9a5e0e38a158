// A call that nobody answers is made again.
import { describe, expect, it } from 'vitest'
import { bobToken } from '../world.ts'
import { followed, inChannel, openCustomer, opens, passes } from './follow.ts'

const oncall = '<!subteam^S0ONCALL>'
const leads = '<!subteam^S0LEADS>'
const calling = ' call @oncall then @leads from error'

type Story = Awaited<ReturnType<typeof callingOncall>>

/** #general follows container 12, calls @oncall, and @leads the third time. */
async function callingOncall(words = calling) {
  const world = await openCustomer()
  const { bob } = world
  await world.connect(bob, bobToken)
  const own = await followed(world, words)
  return { ...world, world, own }
}

/** Minutes pass, each with its looks. */
async function minutesPass({ world, slack }: Story, count: number) {
  for (let minute = 0; minute < count; minute += 1) {
    await passes(world, 60_000)
    await slack.idle()
  }
}

/** Mentions in the channel that say that nobody has taken something, oldest first. */
function repeats({ alice, general }: Story) {
  return inChannel(alice.messages(general), 'Nobody has taken').map(({ plain, pings }) => [
    plain,
    ...pings,
  ])
}

/** A grave alert is new, and calls. @returns Its card. */
async function outage(story: Story, ks = 'disk') {
  const { world, bob, general } = story
  opens(world, ks, { message: `${ks} is down`, severity: 2 })
  await minutesPass(story, 1)
  const card = await bob.sees(`🔴 ${ks} is down`, general)
  expect(card.pings).toEqual([oncall])
  return card
}

describe('a call that nobody answers', () => {
  it('is made again ten and thirty minutes after it, the third time to somebody else, and then no more', async () => {
    const story = await callingOncall()
    expect(story.own.plain).toContain(
      'It calls @oncall for ERROR and worse, at most once in five minutes.\nUntil somebody takes or watches the alert, it calls again after 10 minutes, and @leads after 30.',
    )
    await outage(story)
    await minutesPass(story, 8)
    expect(repeats(story)).toEqual([])
    await minutesPass(story, 3)
    expect(repeats(story)).toEqual([['Nobody has taken this for 10 minutes. @oncall', oncall]])
    await minutesPass(story, 70)
    expect(repeats(story).map(([, ping]) => ping)).toEqual([oncall, leads])
  })
})
