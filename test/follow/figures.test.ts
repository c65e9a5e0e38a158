// How many containers are followed, and how far behind the channel is that knows least: in the figures, whoever reads.
import { expect, it } from 'vitest'
import { scrape } from '../metrics/scraped.ts'
import { aliceToken, type World } from '../world.ts'
import { followed, openCustomer, opens, passes } from './follow.ts'

async function figuresOf({ url }: World) {
  const { of } = await scrape(url)
  const [read, unsaid, lost] = ['read', 'unsaid', 'lost'].map((state) =>
    of(`bellhop_follows{state="${state}"}`),
  )
  return { read, unsaid, lost, minutes: Math.floor((of('bellhop_follow_age_seconds') ?? -1) / 60) }
}

it('says how long one container was not looked at, while many others are', async () => {
  const world = await openCustomer()
  const { alice, general, service, slack } = world
  await followed(world)
  for (let other = 20; other < 26; other += 1) {
    // Slack takes a message a second.
    await passes(world, 5_000)
    service.addContainer(other, { name: `Customer ${other}` })
    await alice.types(`/alert follow ${other}`, general)
    await passes(world, 5_000)
    await alice.presses('Follow', await alice.sees(`Customer ${other} (${other}) in this`, general))
    await alice.sees(`Following Customer ${other} (${other})`, general)
  }
  await slack.idle()
  expect(await figuresOf(world)).toMatchObject({ read: 7, unsaid: 0, lost: 0 })

  service.trouble.answer(503, { only: { path: /container\/12\// } })
  for (let looks = 0; looks < 6; looks += 1) await passes(world)
  await expect.poll(async () => (await figuresOf(world)).minutes).toBeGreaterThanOrEqual(6)
  expect(await figuresOf(world)).toMatchObject({ read: 7, unsaid: 0, lost: 0 })
})

it('says since when a channel takes no news, and how many nobody’s account reads', async () => {
  const world = await openCustomer()
  world.expectRefusals()
  const { service, slack, alice, general } = world
  await followed(world)
  opens(world, 'disk')
  for (let looks = 0; looks < 4; looks += 1) {
    const refused = slack.trouble.fail('chat.postMessage', { error: 'restricted_action' })
    await passes(world)
    await slack.idle()
    refused.cancel()
  }
  await expect.poll(() => figuresOf(world)).toMatchObject({ read: 0, unsaid: 1, minutes: 3 })

  service.revoke(aliceToken)
  for (let looks = 0; looks < 2; looks += 1) await passes(world)
  await alice.sees('I can’t read Customer 1 (12) any more', general)
  await expect.poll(() => figuresOf(world)).toMatchObject({ unsaid: 0, lost: 1, minutes: 0 })
})
