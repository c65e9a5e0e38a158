// Which machine an alert is on: its name is shown where the token that reads shows it, and kept nowhere.
import { describe, expect, it } from 'vitest'
import { openWorld, placeUrl, type WorldOptions } from '../world.ts'

const memory = {
  ks: 'mem',
  message: 'Memory usage of C: too high',
  severity: 2,
  timestamp: 1_700_000_000,
  containerId: 12,
  assetId: 34,
}

/** Its machine is db-03, unless said otherwise. */
async function open({ name = 'db-03', ...options }: WorldOptions & { name?: string } = {}) {
  const world = await openWorld({
    ...options,
    env: { MONITOR_ALERT_URL: placeUrl, ...options.env },
  })
  const { service } = world
  service.addContainer(12, { name: 'Customer 1' })
  const alert = service.addAlert(memory)
  service.addAsset(34, { name })
  return { ...world, alert, link: service.linkOf('mem') }
}

describe('the card of a link', () => {
  it('says on which machine its alert is, in the notification first', async () => {
    const { alice, bob, general, link, alert } = await open()

    await alice.types(`/alert ${link}`, general)

    const card = await bob.sees('db-03 · CRITICAL', general)
    expect(card.text).toContain('CRITICAL: db-03: Memory usage of C: too high')
    expect(card.text.match(/db-03/g)).toHaveLength(1)
    expect(card.urlOf('Open in monitoring')).toBe(link)
    alert.close()
    await alice.presses('Refresh', card)
    await bob.sees(/db-03 · Closed/, general)
  })
})
