// The stand-in service has assets as documented, and is told what holds where its documentation says nothing.
import { describe, expect, test } from 'vitest'
import { startStandIn } from './stand-in-world.ts'

/** db-03 (34) is on Customer 1 (12), which has the alert k7. */
async function startWithAssets() {
  const standIn = await startStandIn()
  const { service, ask } = standIn
  service.addContainer(13, { name: 'Customer 2' })
  service.addAsset(34, { name: 'db-03' })
  service.addAlert({ ks: 'k7', assetId: 34, containerId: 12, ownerId: 7 })
  const bodyOf = async (path: string) => (await ask('GET', path)).body
  const statusOf = async (path: string) => (await ask('GET', path)).status
  return { ...standIn, bodyOf, statusOf }
}

test('a container holds 2,000 assets, two of one name among them, and no more', async () => {
  const { service, bodyOf } = await startWithAssets()
  for (let id = 1_001; id < 3_000; id += 1) service.addAsset(id, { name: 'db-03' })

  expect(await bodyOf('/container/12/assets?fields=name')).toHaveLength(2_000)
  expect(() => service.addAsset(3_000)).toThrow('holds 2000 assets already')
  expect(() => service.addAsset(34, { mode: 'maintenance' })).not.toThrow()
})

describe('an asset that a token does not see, though it sees its container', () => {
  test.each([403, 404] as const)('is left out of lists, and answers %i', async (hiddenAsset) => {
    const { service, bodyOf, statusOf } = await startWithAssets()
    service.behaves({ hiddenAssets: [34], hiddenAsset })

    expect(await bodyOf('/container/12/assets')).toEqual([])
    expect(await statusOf('/asset/34')).toBe(hiddenAsset)
    expect(await statusOf('/asset/34/alerts')).toBe(hiddenAsset)
    expect(await bodyOf('/container/12/alerts')).toEqual([{ ks: 'k7' }, { ks: 'k1' }])
  })
})

describe('an asset that moves to another container', () => {
  test.each([
    ['same-key', 'k7'],
    ['new-key', 'k7-2'],
  ] as const)('has its open alerts there, with the %s', async (movedAlerts, ks) => {
    const { service, bodyOf, statusOf } = await startWithAssets()
    service.behaves({ movedAlerts })
    service.addAlert({ ks: 'closed', assetId: 34, containerId: 12, closedTimestamp: 60 })

    service.moveAsset(34, 13)

    expect(await bodyOf('/asset/34?fields=container')).toEqual({ container: 13 })
    expect(await bodyOf('/container/12/assets')).toEqual([])
    expect(await bodyOf('/container/12/alerts')).toEqual([{ ks: 'k1' }])
    const moved = [{ ks, timestamp: 100, ownerId: 7 }]
    expect(await bodyOf('/container/13/alerts?fields=ks,timestamp,ownerId')).toEqual(moved)
    expect(await bodyOf('/asset/34/alerts')).toEqual([{ ks }])
    expect(await statusOf('/alert/k7')).toBe(movedAlerts === 'same-key' ? 200 : 404)
    service.alert(ks)?.close()
    expect(await bodyOf('/asset/34/alerts')).toEqual([])
  })
})
