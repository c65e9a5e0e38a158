// The stand-in service sets modes of assets and containers as documented, and has them run out by its clock.
import { describe, expect, test } from 'vitest'
import { type How, startStandIn } from './stand-in-world.ts'

const [asset, container] = ['/asset/34/mode', '/container/12/mode']
const minuteMs = 60_000
const normal = { mode: 'normal' } as const
const maintenance = { mode: 'maintenance' } as const

/** db-03 (34) is on Customer 1 (12). */
async function startWithModes() {
  const standIn = await startStandIn()
  const { service, ask } = standIn
  service.addAsset(34, { name: 'db-03' })
  const modesOf = async (...paths: readonly string[]) => {
    const answers = await Promise.all(paths.map((path) => ask('GET', `${path}?fields=mode`)))
    return answers.map(({ body }) => body)
  }
  const set = async (path: string, body: unknown) => (await ask('PATCH', path, body)).status
  return { ...standIn, modesOf, set }
}

describe.each([asset, container])('PATCH %s', (path) => {
  test.each<[status: number, body: unknown, how?: How]>([
    [204, normal],
    [204, { ...maintenance, duration: 1 }],
    [204, { mode: 'disabled', duration: 480 }],
    [204, { mode: 'disabled' }],
    [400, { ...maintenance, duration: 0 }],
    [400, { ...maintenance, duration: 481 }],
    [400, { ...maintenance, duration: 1.5 }],
    [400, { ...maintenance, duration: '60' }],
    [400, { ...maintenance, duration: null }],
    [400, { mode: 'normal', duration: 60 }],
    [400, { mode: 'Maintenance' }],
    [400, { ...maintenance, until: 60 }],
    [400, { duration: 60 }],
    [400, {}],
    [400, 'maintenance'],
    [400, '{"mode":'],
    [400, undefined],
    [400, maintenance, { headers: { 'content-type': 'text/plain' } }],
    [401, maintenance, { headers: { authorization: 'Bearer nobody' } }],
    [403, maintenance, { as: 'bob' }],
    [403, {}, { as: 'robot' }],
  ])('is answered with %i to %j (%#)', async (status, body, how) => {
    const { service, ask, modesOf } = await startWithModes()

    const { status: answered } = await ask('PATCH', path, body, how)

    expect(answered).toBe(status)
    expect(service.requests.at(-1)).toMatchObject({ method: 'PATCH', path, status })
    if (status >= 400) expect(await modesOf('/asset/34', '/container/12')).toEqual([normal, normal])
  })
})

describe('a mode', () => {
  test.each([
    ['/asset/34', asset],
    ['/container/12', container],
  ])('of %s is over once its minutes have passed, and without them lasts', async (of, path) => {
    const { set, passes, modesOf, service } = await startWithModes()

    await set(path, { ...maintenance, duration: 2 })
    passes(2 * minuteMs - 1)
    expect(await modesOf(of)).toEqual([maintenance])
    passes(1)
    expect(await modesOf(of)).toEqual([normal])
    await set(path, { mode: 'disabled' })
    passes(10_000 * minuteMs)
    expect(await modesOf(of)).toEqual([{ mode: 'disabled' }])
    await set(path, normal)
    expect(await modesOf(of)).toEqual([normal])
    expect(service.modeOf('asset/34')).toEqual({ mode: 'normal', endsAt: undefined })
  })

  test('of an asset that a token does not see is not set with it', async () => {
    const { service, set } = await startWithModes()
    service.behaves({ hiddenAssets: [34], hiddenAsset: 404 })

    expect(await set(asset, maintenance)).toBe(404)
    expect(service.modeOf('asset/34').mode).toBe('normal')
  })
})

describe('a container with 500 open alerts', () => {
  test('is not put back to normal until one of them is closed; its assets are', async () => {
    const { service, ask, set, modesOf } = await startWithModes()
    service.setMode('asset/34', maintenance)
    service.setMode('container/12', maintenance)
    // With k1.
    for (let n = 0; n < 499; n += 1)
      service.addAlert({ ks: `many-${n}`, containerId: 12, assetId: 34 })

    expect((await ask('PATCH', container, normal)).status).toBe(409)
    expect(await set(container, { mode: 'disabled' })).toBe(204)
    expect(await set(asset, normal)).toBe(204)
    expect(await modesOf('/container/12', '/asset/34')).toEqual([{ mode: 'disabled' }, normal])
    service.alert('many-7')?.close()
    expect(await set(container, normal)).toBe(204)
    expect(await modesOf('/container/12')).toEqual([normal])
  })
})

describe('where the documentation says nothing', () => {
  test.each([
    ['moves', 60, 110],
    ['moves', undefined, undefined],
    ['stays', 60, 100],
    ['stays', undefined, 100],
  ] as const)(
    'a second duration %s the end: %s minutes',
    async (secondDuration, duration, endsAt) => {
      const { service, set, passes } = await startWithModes()
      service.behaves({ secondDuration })
      await set(asset, { ...maintenance, duration: 100 })
      passes(50 * minuteMs)

      expect(await set(asset, { ...maintenance, duration })).toBe(204)

      const expected = endsAt === undefined ? undefined : 100_000 + endsAt * minuteMs
      expect(service.modeOf('asset/34')).toEqual({ ...maintenance, endsAt: expected })
    },
  )

  test('204 may have changed nothing', async () => {
    const { service, set, modesOf } = await startWithModes()
    service.setMode('container/12', maintenance)
    service.behaves({ modes: 'ignored' })

    expect([await set(asset, maintenance), await set(container, normal)]).toEqual([204, 204])
    expect(await modesOf('/asset/34', '/container/12')).toEqual([normal, maintenance])
  })

  test('a mode that is set may show in later reads alone, and what is hidden runs out', async () => {
    const { service, set, modesOf, passes } = await startWithModes()
    service.setMode('container/12', { ...maintenance, duration: 1 })
    service.behaves({ visible: { reads: 1 } })

    await set(asset, maintenance)
    expect(service.modeOf('asset/34').mode).toBe('maintenance')
    expect(await modesOf('/asset/34')).toEqual([normal])
    expect(await modesOf('/asset/34')).toEqual([maintenance])
    await set(container, { mode: 'disabled' })
    passes(minuteMs)
    expect(await modesOf('/container/12')).toEqual([normal])
    expect(await modesOf('/container/12')).toEqual([{ mode: 'disabled' }])
  })
})
