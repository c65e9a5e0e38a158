// Live cards in what a workspace and a second bot do to them.
import { expect, it } from 'vitest'
import { diskFull, liveCard, passes, timesRead } from '../live/live.ts'
import { openWorld } from '../world.ts'

it('a card whose channel is archived is gone: who watched it is told, directly', async () => {
  const world = await openWorld()
  world.expectRefusals()
  const { alice, general, service, slack } = world
  const alert = service.addAlert(diskFull)
  await liveCard(world)
  await slack.idle()
  general.isArchived = true
  alert.hit({ message: 'Disk fuller' })

  await passes(world)

  const told = await alice.sees('You’re no longer watching “Disk full”', alice.dm)
  expect(told.plain).toContain('its card is gone')
})

it('an alert is read once a turn, by one of two bots that look after cards', async () => {
  const world = await openWorld()
  const { alice, service, slack } = world
  const alert = service.addAlert(diskFull)
  const card = await liveCard(world)
  await world.startAnother()
  await slack.idle()
  const read = timesRead(world)
  for (const severity of [1, 3]) {
    alert.hit({ severity })
    await passes(world)
    await alice.sees(severity === 1 ? '⬆️ CRITICAL → ALERT' : '⬇️ ALERT → ERROR', card)
  }
  await slack.idle()
  expect(timesRead(world)).toBe(read + 2)
})
