// Live cards that fall behind, as an operator sees them: figures, and one line in the log at each end.
import { expect, it } from 'vitest'
import { openWorld, type World } from '../world.ts'
import { comment, diskFull, liveCard, passes } from './live.ts'

const minuteMs = 60_000

const lines = ({ log }: World, words: string) => log.filter((line) => line.includes(words))

async function figure({ url }: World, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const [, value] = new RegExp(`^${name} (\\S+)$`, 'm').exec(text) ?? []
  return Number(value)
}

function logs(world: World, words: string) {
  return expect.poll(() => lines(world, words).length, { timeout: 30_000 })
}

it('cards that Slack lets nobody draw are told in the log once when they fall behind, and once when they have caught up', async () => {
  const world = await openWorld()
  world.expectRefusals()
  const { alice, service, slack, general } = world
  const alert = service.addAlert(diskFull)
  const card = await liveCard(world)
  await slack.idle()
  expect(await figure(world, 'bellhop_live_cards_overdue')).toBe(0)
  expect(await figure(world, 'bellhop_live_cards_oldest_look_seconds')).toBeLessThan(60)
  const order = slack.trouble.rateLimit('chat.update', { retryAfterSeconds: 600, times: 99 })
  alert.hit({ message: 'Disk fuller' })
  alert.act(comment('news'))

  for (let minute = 0; minute < 12; minute += 1) await passes(world, minuteMs)

  await logs(world, 'live cards fall behind').toBe(1)
  // Updates wait, and messages do not.
  await alice.sees('news', card)
  await world.restart()
  await expect.poll(() => figure(world, 'bellhop_live_cards_overdue'), { timeout: 30_000 }).toBe(1)
  await logs(world, 'live cards fall behind').toBe(2)
  order.cancel()
  // As long as Slack has asked to wait.
  await passes(world, 10 * minuteMs)
  await alice.sees('Disk fuller', general)
  await passes(world, minuteMs)
  await logs(world, 'live cards have caught up').toBe(1)
  expect(lines(world, 'live cards fall behind')).toHaveLength(2)
})
