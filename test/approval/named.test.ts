// Containers by name in requests for approval: as the asker's token has shown them, wherever the request is shown.
import { describe, expect, it } from 'vitest'
import { alertUrl } from '../../playground/monitor/world.ts'
import type { Person } from '../../playground/slack/person/person.ts'
import { looksAtHome } from '../home/looks-at-home.ts'
import { link } from '../names/shown-world.ts'
import { diskFull, type WorldOptions } from '../world.ts'
import { asked, type Colleagues, givesReason, line, openColleagues } from './colleagues.ts'

const named = 'Viewer on Customer 1 (12) for dave@example.com'

/** Colleagues, and an alert in container 12. */
async function openNamed(options: WorldOptions = {}): Promise<Colleagues> {
  const world = await openColleagues({
    ...options,
    env: { MONITOR_ALERT_URL: alertUrl, ...options.env },
  })
  world.service.addAlert({
    ...diskFull,
    containerId: 12,
    assetId: 34,
    link: { conditionId: 5, item: '/var log' },
  })
  return world
}

/** A look-up in their own direct message, by which their own token shows the container's name. */
async function learns(person: Person, { slack }: Colleagues, name = 'Customer 1 (12)') {
  await person.types(`/alert ${link}`, person.dm)
  await person.sees(name, person.dm)
  await slack.idle()
}

describe('a request for approval', () => {
  it('names the container wherever it is shown, as the asker’s token has shown it', async () => {
    const world = await openNamed({ env: { APPROVAL_FLAGS: 'READ' } })
    const { alice, bob, carol, general, slack, service } = world
    await learns(bob, world)
    const before = service.requests.length
    await bob.types(line, general)
    const offered = await bob.sees('Not sent yet', general)
    expect(offered.plain).toContain('Viewer on Customer 1 (12) for dave@example.com')
    await bob.presses('Ask for approval', offered)
    expect((await bob.seesModal('Ask for approval')).plain).toContain(
      'Viewer on Customer 1 (12) for dave@example.com',
    )
    await givesReason(bob)
    const card = await alice.sees('🔑', general)
    expect(card.plain).toContain(`bob asks: ${named}`)
    expect(card.text).toContain(named)
    // Nobody was asked for it.
    await slack.idle()
    expect(service.requests.slice(before)).toEqual([])
    expect((await looksAtHome(bob, world)).plain).toContain('Viewer on Customer 1 (12)')

    expect(card.plain).toContain('Anyone who may add people to Customer 1 (12) can approve')
    await carol.presses('Decline', card)
    expect((await carol.seesModal('Decline request')).plain).toContain('Customer 1 (12)')
    await carol.closes()
    await carol.presses('Approve', card)

    await carol.sees(`Granted by you\n${named}`, general)
    await bob.sees(named, bob.dm)
    await expect.poll(() => card.plain).toContain(`bob asked: ${named}`)
  })

  it('pings nobody, whatever the container is called', async () => {
    const world = await openNamed()
    const { bob, carol, general, service, slack } = world
    const hostile = '<!channel> <@U1> *x* & https://evil.example'
    service.addContainer(12, { name: hostile })
    await learns(bob, world, '<!channel>')
    const card = await asked(world)
    service.trouble.answer(403, { only: 'POST', times: 1 })
    await carol.presses('Approve', card)
    await carol.sees('The request stays open', general)
    await carol.presses('Approve', card)
    await bob.sees('Granted by carol', bob.dm)
    await slack.idle()

    const sent = JSON.stringify(slack.calls.map(({ args }) => args))
    expect(card.plain).toContain('<!channel>')
    expect(sent).not.toMatch(/"(mrkdwn|text)":"[^"]*<(!channel|@U1)>[^"]*","verbatim"/)
    expect(card.text).toContain('&lt;!channel&gt;')
  })
})
