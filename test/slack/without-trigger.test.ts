// Requests for which Slack names no trigger: something else has to tell one from the next.
import { describe, expect, it } from 'vitest'
import { type Json, record } from '../../playground/slack/model/json.ts'
import { type Forged, interaction, send } from '../signed-request.ts'
import { openWorld, type World } from '../world.ts'

const without = (payload: Json) => interaction({ ...payload, trigger_id: '' })

/** Two of a kind, without triggers, and how often such were done. */
type Twice = (world: World) => Promise<{ readonly two: readonly Forged[]; readonly done: () => number }>

const cardsIn =
  ({ slack, general }: World) =>
  () =>
    slack
      .messagesIn(general)
      .filter(({ text, threadTs }) => text.includes('Disk full') && threadTs === undefined).length

const kinds: Readonly<Record<string, Twice>> = {
  async 'a command'(world) {
    const { alice, general } = world
    const typed = [await alice.types('/alert 5HkX', general), await alice.types('/alert 5HkX', general)]
    const two = typed.map(({ payload }) => {
      const fields = new URLSearchParams()
      for (const [name, value] of Object.entries(payload)) fields.set(name, String(value))
      fields.delete('trigger_id')
      return { body: fields.toString() }
    })
    return { two, done: cardsIn(world) }
  },
  async 'a press'({ alice, general, service }) {
    await alice.types('/alert 5HkX', general)
    const card = await alice.sees('Disk full', general)
    const pressed = [await alice.presses('Refresh', card), await alice.presses('Refresh', card)]
    return { two: pressed.map(({ payload }) => without(payload)), done: () => service.requests.length }
  },
  async 'a form that was changed in between'(world) {
    const { alice, general } = world
    await alice.usesShortcut('alert.look-up')
    await alice.seesModal('Look up an alert')
    const { payload } = await alice.submits({ fields: { 'Alert key': '5HkX', 'Post to': general } })
    const view = record(payload.view)
    const two = ['1.a', '1.b'].map((hash) => without({ ...payload, view: { ...view, hash } }))
    return { two, done: cardsIn(world) }
  },
}

describe.each(Object.entries(kinds))('%s', (_kind, twice) => {
  it('is done each time, and not when the same one is sent again', async () => {
    const world = await openWorld()
    world.service.addAlert({ ks: '5HkX', message: 'Disk full' })
    const { two, done } = await twice(world)
    await world.slack.idle()
    const before = done()

    for (const request of [...two, ...two]) {
      await send(world, request)
      await world.slack.idle()
    }

    expect(done() - before).toBe(2)
  })
})
