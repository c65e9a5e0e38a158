// Assets of the service, as the client asks for them: one, and those of a container.
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

  it.each([
    ['one asset', { id: 34, name: 'db-03' }],
    ['an asset without a number', [{ name: 'db-03' }]],
    ['null', null],
  ])('are not taken from an answer that is %s', async (_, body) => {
    const { service, monitor } = await open()
    service.trouble.answer(200, { body })
    await expectFailure(monitor.assetsIn(token, 12), 'malformed')
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

  it('is not taken from an answer about another, or without a container', async () => {
    const { service, monitor } = await open()
    const asset = { id: 34, name: 'db-03', mode: 'normal' }
    service.trouble.answer(200, { body: { ...asset, id: 35, container: 12 }, times: 1 })
    await expectFailure(monitor.assetOf(token, 34), 'malformed')
    service.trouble.answer(200, { body: asset })
    await expectFailure(monitor.assetOf(token, 34), 'malformed')
  })
})

describe('reads of assets and their alerts', () => {
  const reads = [
    ['/container/12/assets', (monitor: Monitor, by: string) => monitor.assetsIn(by, 12)],
    ['/asset/34', (monitor: Monitor, by: string) => monitor.assetOf(by, 34)],
    ['/asset/34/alerts', (monitor: Monitor, by: string) => monitor.openAlertsOf(by, '34')],
  ] as const

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
