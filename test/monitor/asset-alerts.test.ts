// The list of an asset's open alerts, as the client asks for it, and how long it is left alone where there is none.
import { describe, expect, it } from 'vitest'
import { createOutage } from '../../src/monitor/failures.ts'
import { createOptionalOperations } from '../../src/monitor/operations.ts'
import { keepLog } from '../keep-log.ts'
import { expectFailure, powerlessToken, setup, token } from './setup.ts'

const disk = { ks: 'k1', message: 'Disk filling', timestamp: 1_700_000_000, assetId: 34, containerId: 12 }

/** A client that knows what the service lacks, on a clock of its own. */
async function setupOptional(operations: 'all' | 'basic' = 'all') {
  const clock = { now: 1_800_000_000_000 }
  const { log, lines } = keepLog()
  const optional = createOptionalOperations({ operations, log, now: () => clock.now })
  return { ...(await setup({ optional })), optional, clock, lines }
}

describe('the open alerts of an asset', () => {
  it('are those of that asset that are not closed, with what a choice needs', async () => {
    const { service, monitor } = await setup()
    service.addAlert(disk).hit({ message: 'Disk full', severity: 1 })
    service.addAlert({ ...disk, ks: 'closed' }).close()
    service.addAlert({ ...disk, ks: 'elsewhere', assetId: 35 })

    expect(await monitor.openAlertsOf(token, '34')).toEqual({
      kind: 'listed',
      alerts: [{ ks: 'k1', timestamp: 1_700_000_000, lastMessage: 'Disk full', lastSeverity: 1 }],
    })
    expect(await monitor.openAlertsOf(token, '99')).toEqual({ kind: 'no-asset' })
  })

  it('are asked for again while the service is busy, and refused as an alert is', async () => {
    const { service, monitor } = await setup()
    service.addAlert(disk)
    service.trouble.answer(503, { times: 1 })
    expect(await monitor.openAlertsOf(token, '34')).toMatchObject({ kind: 'listed' })
    await expectFailure(monitor.openAlertsOf(powerlessToken, '34'), 'forbidden')
    await expectFailure(monitor.openAlertsOf('nobody', '34'), 'refused')
    service.trouble.answer(429)
    await expectFailure(monitor.openAlertsOf(token, '34'), 'busy')
  })

  it.each([
    ['not JSON', 'soon'],
    ['an alert', { ks: 'k1' }],
    ['alerts without a time', [{ ks: 'k1', lastMessage: 'm', lastSeverity: 1 }]],
    ['null', null],
  ])('are not taken from an answer that is %s', async (_, body) => {
    const { service, monitor } = await setup()
    service.trouble.answer(200, { body })
    await expectFailure(monitor.openAlertsOf(token, '34'), 'malformed')
  })

  it('end an outage, and begin one, as other reads do', async () => {
    const { log } = keepLog()
    const clock = { now: 1_800_000_000_000 }
    const outage = createOutage({ log, now: () => clock.now })
    const { service, monitor } = await setup({ outage })
    service.addAlert(disk)
    await service.trouble.down()
    for (let call = 0; call < 3; call += 1) {
      await expectFailure(monitor.openAlertsOf(token, '34'), 'unreachable')
      clock.now += 5_000
    }
    expect(outage.state()).toMatchObject({ cause: 'refused' })
    await service.trouble.up()
    await monitor.openAlertsOf(token, '34')
    expect(outage.state()).toBeUndefined()
  })
})

describe('a service without that list', () => {
  it.each([
    [405, ['34']],
    [404, ['97', '98', '99']],
  ] as const)(
    'is not asked for an hour after %i for %j, says so once in the log, and is asked then',
    async (status, assets) => {
      const { service, monitor, optional, clock, lines } = await setupOptional()
      service.addAlert(disk)
      service.trouble.answer(status, { times: assets.length })

      for (const asset of assets.slice(0, -1))
        expect(await monitor.openAlertsOf(token, asset)).toEqual({ kind: 'no-asset' })
      expect(await monitor.openAlertsOf(token, assets.at(-1) ?? '')).toEqual({ kind: 'off' })
      clock.now += 60 * 60_000 - 1
      expect(await monitor.openAlertsOf(token, '34')).toEqual({ kind: 'off' })
      expect(service.requests).toHaveLength(assets.length)
      expect(optional.state()).toEqual({
        kind: 'all',
        off: [{ operation: 'asset_alerts', until: 1_800_000_000_000 + 60 * 60_000 }],
      })
      expect(lines.filter((line) => line.includes('does not have this operation'))).toHaveLength(1)
      clock.now += 1
      expect(await monitor.openAlertsOf(token, '34')).toMatchObject({ kind: 'listed' })
      expect(optional.state()).toEqual({ kind: 'all', off: [] })
    },
  )

  it('is told from one that does not know an asset, however often that one is asked for', async () => {
    const { service, monitor, optional } = await setupOptional()
    service.addAlert(disk)
    for (let time = 0; time < 5; time += 1)
      expect(await monitor.openAlertsOf(token, '99')).toEqual({ kind: 'no-asset' })
    expect(optional.state()).toEqual({ kind: 'all', off: [] })
    expect(await monitor.openAlertsOf(token, '34')).toMatchObject({ kind: 'listed' })
  })

  it('is told from one that does not know an asset, once it has listed the alerts of another', async () => {
    const { service, monitor, optional } = await setupOptional()
    service.addAlert(disk)
    await monitor.openAlertsOf(token, '34')

    expect(await monitor.openAlertsOf(token, '99')).toEqual({ kind: 'no-asset' })
    expect(optional.state()).toEqual({ kind: 'all', off: [] })
    service.trouble.answer(405, { times: 1 })
    expect(await monitor.openAlertsOf(token, '34')).toEqual({ kind: 'off' })
  })

  it('is asked again when the clock was set back behind the hour', async () => {
    const { service, monitor, clock } = await setupOptional()
    service.addAlert(disk)
    service.trouble.answer(405, { times: 1 })
    await monitor.openAlertsOf(token, '34')
    clock.now -= 1
    expect(await monitor.openAlertsOf(token, '34')).toMatchObject({ kind: 'listed' })
  })

  it('is never asked with MONITOR_OPERATIONS=basic', async () => {
    const { service, monitor, optional } = await setupOptional('basic')
    expect(await monitor.openAlertsOf(token, '34')).toEqual({ kind: 'off' })
    expect(service.requests).toEqual([])
    expect(optional.state()).toEqual({ kind: 'basic' })
  })
})
