// The list of an asset's open alerts, as the client asks for it.
import { describe, expect, it } from 'vitest'
import { expectFailure, setup, token } from './setup.ts'

const disk = {
  ks: 'k1',
  message: 'Disk filling',
  timestamp: 1_700_000_000,
  assetId: 34,
  containerId: 12,
}

describe('the open alerts of an asset', () => {
  it('are those of that asset that are not closed, with what a choice needs', async () => {
    const { service, monitor } = await setup()
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
})
