// Tools for tests of calls that nobody answers.
import { scrape } from '../metrics/scraped.ts'
import { bobToken, type WorldOptions } from '../world.ts'
import { followed, inChannel, openCustomer, opens, passes } from './follow.ts'

export const oncall = '<!subteam^S0ONCALL>'
export const leads = '<!subteam^S0LEADS>'
export const calling = ' call @oncall then @leads from error'

export type Story = Awaited<ReturnType<typeof callingOncall>>

/** #general follows container 12, calls @oncall, and @leads the third time. */
export async function callingOncall(words = calling, options: WorldOptions = {}) {
  const world = await openCustomer(options)
  const { bob } = world
  await world.connect(bob, bobToken)
  const own = await followed(world, words)
  return { ...world, world, own }
}

/** Minutes pass, with a look after each four, and at the end; or after each one, where that counts. */
export async function minutesPass(
  { world, slack }: Pick<Story, 'world' | 'slack'>,
  count: number,
  step = 4,
) {
  for (let left = count; left > 0; left -= step) {
    await passes(world, Math.min(left, step) * 60_000 + 1_000)
    await slack.idle()
  }
}

export const nobody = 'Nobody has taken'

/** Messages in the channel that say that nobody has taken something, oldest first, each with whom it mentions. */
export function repeats({ alice, general }: Story) {
  return inChannel(alice.messages(general), nobody).map(({ plain, pings }) => ({
    says: plain.replace(/ @\S+$/, '').replace(/\d+ minutes/, 'some minutes'),
    pings,
  }))
}

export const outcomes = async ({ world }: Story) =>
  (await scrape(world.url)).counted('bellhop_calls_total')

/** A grave alert is new, and calls. */
export async function outage(story: Story, ks = 'disk', severity = 2) {
  const { world, bob, general } = story
  const alert = opens(world, ks, { message: `${ks} is down`, severity })
  await minutesPass(story, 1)
  const card = await bob.sees(`${ks} is down`, general)
  return { alert, card }
}
