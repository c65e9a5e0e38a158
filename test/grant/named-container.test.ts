// A container by its name: in the line of `/grant`, as the person's own token has shown it; and by the card it is asked on.
import { describe, expect, it } from 'vitest'
import { alertUrl } from '../../playground/monitor/world.ts'
import { link } from '../names/shown-world.ts'
import { diskFull, openWorld, type World } from '../world.ts'
import { grantsOn } from './dave.ts'

const posts = ({ service }: World) =>
  service.requests.filter(({ method }) => method === 'POST').map(({ path }) => path)

/** Alice's token has shown these containers. */
async function openSeen(names: Readonly<Record<number, string>>): Promise<World> {
  const world = await openWorld()
  for (const [id, name] of Object.entries(names)) {
    world.service.addContainer(Number(id), { name })
    await world.alice.types(`/grant ${id} alice@example.com viewer`, world.general)
    await world.slack.idle()
  }
  return world
}

describe('a container in a /grant line', () => {
  it('may be named, in any case', async () => {
    const world = await openSeen({ 12: 'Customer 1', 34: 'Acme, Inc' })

    await world.alice.types('/grant "customer 1" dave@example.com viewer', world.general)
    await world.alice.sees('dave@example.com is now Viewer on Customer 1 (12)', world.general)
    await world.alice.types('/grant dave@example.com viewer "Acme, Inc"', world.general)
    await world.alice.sees('dave@example.com is now Viewer on Acme, Inc (34)', world.general)

    expect(posts(world).slice(2)).toEqual(['/container/12/user', '/container/34/user'])
  })

  it('is in the form, where nobody is named beside it', async () => {
    const world = await openSeen({ 12: 'Customer 1' })

    await world.alice.types('/grant "Customer 1"', world.general)

    await world.alice.seesModal('Grant access')
    await world.alice.submits({ fields: { Email: 'dave@example.com', Role: 'Viewer' } })
    await world.alice.sees('dave@example.com is now Viewer on Customer 1 (12)', world.general)
  })

  it.each([
    ['several are called so', 'Customer', 'That’s 2 containers: 34, 12. Type the number of one.'],
    [
      'none is',
      'Customer 9',
      '“Customer 9” isn’t a flag, a role, an email address or a container I’ve seen.',
    ],
  ])('is asked for by its number where %s; nothing is sent', async (_, name, words) => {
    const world = await openSeen({ 12: 'Customer', 34: 'Customer' })
    const before = posts(world)

    await world.alice.types(`/grant "${name}" dave@example.com viewer`, world.general)

    await world.alice.sees(words, world.general)
    expect(posts(world)).toEqual(before)
  })

  it('is a role where one is called so', async () => {
    const world = await openSeen({ 12: 'viewer' })

    await world.alice.types('/grant viewer dave@example.com', world.general)

    const form = await world.alice.seesModal('Grant access')
    expect(form.plain).not.toContain('(12)')
  })
})

it('Grant access on a card has the container in its form that the card knows', async () => {
  const { alice, general, service } = await openWorld({ env: { MONITOR_ALERT_URL: alertUrl } })
  service.addAlert({
    ...diskFull,
    containerId: 12,
    assetId: 34,
    link: { conditionId: 5, item: '/var log' },
  })
  await alice.types(`/alert ${link}`, general)
  const card = await alice.sees('Disk full', general)

  await grantsOn(alice, card, { Email: 'dave@example.com', Role: 'Viewer' })
  await alice.sees('dave@example.com is now Viewer on Customer 1 (12)', card)
})
