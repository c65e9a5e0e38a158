// Assets of the service, as the client asks for them: one, those of a container, and what is open on one.
import { describe, expect, it } from 'vitest'
import type { Monitor } from '../../src/monitor/client.ts'
import { expectFailure, powerlessToken, setup, token } from './setup.ts'

async function open() {
  const { service, monitor } = await setup()
  service.addAsset(34, { name: 'db-03' })
  service.addAsset(35, { name: 'web-17', mode: 'maintenance' })
  return { service, monitor }
}

describe('the assets of a container', () => {
  it('are listed with their names and modes, by one request for these fields', async () => {
    const { service, monitor } = await open()

    expect(await monitor.assetsIn(token, 12)).toEqual({
      kind: 'listed',
      assets: [
        { id: 35, name: 'web-17', mode: 'maintenance' },
        { id: 34, name: 'db-03', mode: 'normal' },
      ],
    })
    expect(service.requests.map(({ path, query }) => `${path}?${query}`)).toEqual([
      '/container/12/assets?fields=id,name,mode',
    ])
    expect(await monitor.assetsIn(token, 99)).toEqual({ kind: 'no-container' })
  })

  it('may have no name, a hostile or a long one, and a mode of tomorrow', async () => {
    const { service, monitor } = await open()
    const odd = [
      { id: 1, name: null, mode: 'asleep' },
      { id: 2, name: '\u202e\u0000\u001b[31mred', mode: null },
      { id: 3, name: 'x'.repeat(300), mode: 'disabled', zone: 7 },
    ]
    service.trouble.answer(200, { body: odd })

    expect(await monitor.assetsIn(token, 12)).toEqual({
      kind: 'listed',
      assets: [
        { id: 1, name: '', mode: undefined },
        { id: 2, name: '\uFFFDred', mode: undefined },
        { id: 3, name: 'x'.repeat(200), mode: 'disabled' },
      ],
    })
  })
})

describe('one asset', () => {
  it('is read with the container that it is in now', async () => {
    const { service, monitor } = await open()
    const found = { kind: 'found', id: 34, name: 'db-03', container: 12, mode: 'normal' }

    expect(await monitor.assetOf(token, 34)).toEqual(found)
    expect(service.requests[0]?.query).toBe('fields=id,name,mode,container')
    service.moveAsset(34, 13)
    expect(await monitor.assetOf(token, 34)).toEqual({ ...found, container: 13 })
    expect(await monitor.assetOf(token, 99)).toEqual({ kind: 'no-asset' })
  })

  it('is none where its place was made up', async () => {
    const { monitor } = await open()
    expect(await monitor.assetOf(token, -1)).toEqual({ kind: 'no-asset' })
  })
})

describe('the open alerts of an asset', () => {
  it('are those of that asset that are not closed, with what a choice needs', async () => {
    const { service, monitor } = await setup()
    const disk = {
      ks: 'k1',
      message: 'Disk filling',
      timestamp: 1_700_000_000,
      assetId: 34,
      containerId: 12,
    }
    service.addAlert(disk).hit({ message: 'Disk full', severity: 1 })
    service.addAlert({ ...disk, ks: 'closed' }).close()
    service.addAlert({ ...disk, ks: 'elsewhere', assetId: 35 })

    expect(await monitor.openAlertsOf(token, '34')).toEqual({
      kind: 'listed',
      alerts: [
        {
          ks: 'k1',
          timestamp: 1_700_000_000,
          lastMessage: 'Disk full',
          lastSeverity: 1,
          ownerId: null,
        },
      ],
    })
    expect(await monitor.openAlertsOf(token, '99')).toEqual({ kind: 'no-asset' })
  })
})

describe('reads of assets and their alerts', () => {
  const assetsIn = (monitor: Monitor, by: string) => monitor.assetsIn(by, 12)
  const assetOf = (monitor: Monitor, by: string) => monitor.assetOf(by, 34)
  const openAlertsOf = (monitor: Monitor, by: string) => monitor.openAlertsOf(by, '34')
  const reads = [
    ['/container/12/assets', assetsIn],
    ['/asset/34', assetOf],
    ['/asset/34/alerts', openAlertsOf],
  ] as const
  const asset = { id: 34, name: 'db-03', mode: 'normal' }

  it.each([
    ['assets', assetsIn, asset],
    ['assets', assetsIn, [{ name: 'db-03' }]],
    ['assets', assetsIn, null],
    ['the asset', assetOf, { ...asset, id: 35, container: 12 }],
    ['the asset', assetOf, asset],
    ['alerts', openAlertsOf, 'soon'],
    ['alerts', openAlertsOf, { ks: 'k1' }],
    ['alerts', openAlertsOf, [{ ks: 'k1', lastMessage: 'm', lastSeverity: 1 }]],
    ['alerts', openAlertsOf, null],
  ])('take no %s from an answer that is something else (%#)', async (_, read, body) => {
    const { service, monitor } = await open()
    service.trouble.answer(200, { body })
    await expectFailure(read(monitor, token), 'malformed')
  })

  it.each(reads)(
    'are refused as alerts are, and asked again while the service is busy: %s',
    async (path, read) => {
      const { service, monitor } = await open()

      service.trouble.answer(503, { times: 1 })
      expect(['found', 'listed']).toContain((await read(monitor, token)).kind)
      expect(service.requests.map((one) => one.path)).toEqual([path, path])
      await expectFailure(read(monitor, powerlessToken), 'forbidden')
      await expectFailure(read(monitor, 'nobody'), 'refused')
      service.trouble.answer(429)
      await expectFailure(read(monitor, token), 'busy')
      service.trouble.clear()
      service.trouble.answer(405, { times: 1 })
      expect(await read(monitor, token)).toEqual({ kind: 'off' })
    },
  )

  it('are never made with MONITOR_OPERATIONS=basic', async () => {
    const { service, monitor } = await setup({ basic: true })
    for (const [, read] of reads) expect(await read(monitor, token)).toEqual({ kind: 'off' })
    expect(service.requests).toEqual([])
  })
})
