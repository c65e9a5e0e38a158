import { describe, expect, it } from 'vitest'
import { cardIdOf } from '../alert/card-id.ts'
import { interaction, send } from '../signed-request.ts'
import { bobToken, diskFull, openWorld } from '../world.ts'
import { from } from './from.ts'

describe('a button on a private message', () => {
  it('does nothing for anybody but whom the message is for', async () => {
    const world = await openWorld()
    const { alice, bob, general, slack, service } = world
    await world.connect(bob, bobToken)
    service.addAlert(diskFull)
    await alice.types('/alert 5HkX private', general)
    const card = await alice.sees('Disk full', general)
    const { payload } = await alice.presses('Refresh', card)
    await slack.idle()
    const before = { requests: service.requests.length, calls: slack.calls.length }

    // Slack would not let Bob press; this is a request that is signed all the same.
    world.expectRefusals()
    const presses = (action: object, trigger_id: string) =>
      send(
        world,
        interaction({
          ...payload,
          ...from(world, bob),
          trigger_id,
          actions: [{ action_ts: '1.2', ...action }],
        }),
      )
    const value = cardIdOf(card)
    for (const action_id of [
      'alert.refresh',
      'alert.share',
      'watch.start',
      'watch.stop',
      'act.assign-me',
      'act.close',
      'act.comment',
    ]) {
      const carried = action_id.startsWith('act.') ? `${value} -` : value
      await presses({ type: 'button', action_id, value: carried }, action_id)
    }
    for (const offer of ['refresh', 'share', 'stop', 'grant', 'open', 'assign-to', 'comment']) {
      const carried = ['assign-to', 'comment'].includes(offer)
        ? `${offer} ${value} -`
        : `${offer} ${value}`
      const chosen = {
        type: 'overflow',
        action_id: 'alert.more',
        selected_option: { value: carried },
      }
      await presses(chosen, offer)
    }
    await slack.idle()

    expect(service.requests).toHaveLength(before.requests)
    // As of a card that is forgotten.
    const said = slack.calls.slice(before.calls).map(({ args }) => String(args.text))
    expect(said.filter((text) => !text.includes('This card is too old'))).toEqual([])
  })

  it('grants nothing for anybody but whom the confirmation is for', async () => {
    const world = await openWorld()
    const { alice, bob, general, slack, service } = world
    await world.connect(bob, bobToken)
    await alice.types('/grant 12 dave@example.com WEBHOOKS', general)
    const confirmation = await alice.sees('Sensitive flags', general)
    const { value } = confirmation.control('Grant access')?.element ?? {}
    const { payload } = await alice.presses('Cancel', confirmation)
    await alice.types('/grant 12 dave@example.com WEBHOOKS', general)
    await alice.sees('Sensitive flags', general)

    await send(
      world,
      interaction({
        ...payload,
        ...from(world, bob),
        actions: [{ action_id: 'grant.confirm', value, type: 'button' }],
      }),
    )
    await slack.idle()

    expect(service.requests.filter(({ method }) => method === 'POST')).toEqual([])
  })
})
