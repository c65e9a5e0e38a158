// The very same bytes, signature and all, once more: what Slack itself never sends.
import { describe, expect, it } from 'vitest'
import { diskFull, openWorld, placeUrl, type World } from '../world.ts'

async function openWithAlert() {
  const world = await openWorld({ isAliceConnected: 'in the form' })
  world.service.addAlert(diskFull)
  return world
}

const cards = ({ slack, general }: World) =>
  slack
    .messagesIn(general)
    .filter(({ text, threadTs }) => text.includes('Disk full') && threadTs === undefined)

describe('a request that is sent again within its five minutes', () => {
  it('posts no second card when it is an /alert, in this process or another', async () => {
    const world = await openWithAlert()
    const { alice, general, slack } = world
    const typed = await alice.types('/alert 5HkX', general)
    await alice.sees('Disk full', general)

    await slack.redeliver(typed)
    const other = await world.startAnother()
    slack.deliverTo(`${other.url}/slack/events`)
    const again = await slack.redeliver(typed)
    await slack.idle()

    expect(again.outcome).toBe('acked')
    expect(cards(world)).toHaveLength(1)
  })

  it('does not connect an account again that was disconnected since', async () => {
    const world = await openWorld({ isAliceConnected: 'in the form' })
    const { alice, general, slack } = world
    const connected = slack.deliveries.find(({ kind }) => kind === 'view_submission')
    await alice.types('/alert disconnect', general)
    await alice.sees('Disconnected', general)

    if (connected !== undefined) await slack.redeliver(connected)
    await slack.idle()
    await alice.types('/alert 5HkX', general)

    await alice.sees('I need your monitoring account', general)
    expect(connected).toBeDefined()
  })

  it('sends no comment that monitoring kept from being sent', async () => {
    const world = await openWorld({
      isAliceConnected: 'in the form',
      env: { MONITOR_ALERT_URL: placeUrl },
    })
    const { alice, general, slack, service } = world
    service.addAlert({ ...diskFull, containerId: 12, assetId: 34 })
    await alice.usesShortcut('act.add-as-comment', alice.says('What now?', general))
    await alice.seesModal('Comment on alert')
    service.trouble.answer(503)
    const fields = { 'Alert key': service.linkOf('5HkX') ?? '', Comment: 'Old logs.' }
    const submitted = await alice.submits({ fields })
    await slack.idle()
    service.trouble.clear()

    await slack.redeliver(submitted)
    await slack.idle()

    expect(service.alert('5HkX')?.actions).toEqual([])
  })
})
