// On which machine a followed alert is: found by the doorbell's words or by the follow itself, and shown by its cards.
import { request } from 'undici'
import { describe, expect, it } from 'vitest'
import { placeUrl, type World, type WorldOptions } from '../world.ts'
import { followed, openCustomer, passes } from './follow.ts'

const PUBLIC_URL = 'https://bellhop.example.com'
const env = { PUBLIC_URL, MONITOR_ALERT_URL: placeUrl }
const told = 'CRITICAL: db-03: Memory usage of C: too high'

/** Container 12 has web-01 (33), db-03 (34) and db-04 (35), of which #general hears; nothing is open there. */
async function open(options: WorldOptions = {}) {
  const world = await openCustomer({ ...options, env: { ...env, ...options.env } })
  for (const [id, name] of [
    [33, 'web-01'],
    [34, 'db-03'],
    [35, 'db-04'],
  ] as const)
    world.service.addAsset(id, { name })
  const own = await followed(world)
  return { world, own, ...world }
}

/** Something happens on a machine of container 12. Default: db-03 (34). */
function happens({ service }: World, { ks = 'mem', assetId = 34, severity = 2, ...more } = {}) {
  const message = 'Memory usage of C: too high'
  return service.addAlert({ ks, message, containerId: 12, assetId, severity, ...more })
}

/** The path of a doorbell for the follow in #general. */
async function bellOf(
  { alice, general, slack }: World,
  own: Parameters<World['alice']['presses']>[1],
) {
  await alice.presses('Get alerts at once', own)
  const shown = await alice.sees('Get new alerts of', general)
  await slack.idle()
  return /example\.com(\/ring\/\S+)/.exec(shown.plain)?.[1] ?? ''
}

async function rings({ url }: World, path: string, body: string) {
  return (await request(`${url}${path}`, { method: 'POST', body })).statusCode
}

const assetReads = ({ service }: World, from = 0) =>
  service.requests.slice(from).filter(({ path }) => /^\/asset\/\d+\/alerts$/.test(path))
const listReads = ({ service }: World) =>
  service.requests.filter(({ path }) => path === '/container/12/assets').length

describe('a card that comes by a follow', () => {
  it('says which machine it’s about once the follow has found it, and is drawn once for that', async () => {
    const { world, bob, general, slack } = await open()
    happens(world)

    await passes(world)

    const card = await bob.sees('db-03 · CRITICAL', general)
    await slack.idle()
    expect(card.urlOf('Open in monitoring')).toContain('/container/12/asset/34/alert?alert=')
    expect(assetReads(world).length).toBeLessThanOrEqual(3)
    const drawn = slack.calls.filter(({ method }) => method === 'chat.update').length
    await passes(world)
    await passes(world)
    await slack.idle()
    expect(slack.calls.filter(({ method }) => method === 'chat.update')).toHaveLength(drawn)
    expect(listReads(world)).toBe(1)
    expect(assetReads(world).length).toBeLessThanOrEqual(3)
  })

  it('says so in its notification where the webhook has said it', async () => {
    const { world, own, alice, general } = await open()
    const bell = await bellOf(world, own)
    world.clock.advance(6_000)
    happens(world)
    const body = { ks: 'mem', asset: 34, condition: 5, time: 1_700_000_000, container: 99 }

    expect(await rings(world, bell, JSON.stringify(body))).toBe(202)

    const card = await alice.sees('db-03 · CRITICAL', general)
    expect(card.text).toContain(told)
    expect(card.isEdited).toBe(false)
    expect(card.urlOf('Open in monitoring')).toContain(
      '/container/12/asset/34/alert?condition=5&alert=',
    )
    expect(assetReads(world)).toHaveLength(1)
  })
})
