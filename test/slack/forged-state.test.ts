// State that a modal or a button brings back, written by another version of Bellhop, or by somebody else altogether.
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, it } from 'vitest'
import { interaction, send } from '../signed-request.ts'
import { openWorld } from '../world.ts'

const secret = 'secret-90c1aa'
const otherVersions = [
  ['nothing', ''],
  ['no JSON', `${secret}}`],
  ['another shape', JSON.stringify({ intent: secret, channel: 'C1' })],
  ['another type', JSON.stringify({ id: 7, wishId: 7, waitingId: 7, cardId: 7, place: secret })],
  ['prototype keys', `{"__proto__":{"id":"${secret}","waitingId":"x","place":{"isDirect":false}}}`],
] as const

/** One for all tests: nothing that is sent may do anything in it. */
const world = await openWorld({
  env: { RATE_PER_MINUTE: '0' },
  slack: { keepsLimits: false },
  until: afterAll,
})
const { alice, general, service, slack } = world

const views = ['account.connect', 'grant.form', 'grant.confirm', 'approval.ask', 'approval.decline']

/** Filled in as each of the forms wants it. */
const values = Object.entries({
  token: { value: 'some-token' },
  container: { value: '12' },
  email: { value: 'dave@example.com' },
  ks: { value: '5HkX' },
  choice: { selected_option: { value: '0' } },
  reason: { value: 'on call' },
}).map(([name, state]) => [name, { [name]: state }] as const)

const submitted = (callbackId: string, privateMetadata: string) =>
  interaction({
    type: 'view_submission',
    team: { id: slack.teamId },
    user: { id: alice.id, username: 'alice', team_id: slack.teamId },
    trigger_id: `${callbackId} ${privateMetadata}`,
    view: {
      ...{ id: 'V1', type: 'modal', callback_id: callbackId, private_metadata: privateMetadata },
      state: { values: Object.fromEntries(values) },
    },
  })

const timesTold = () =>
  alice.messages(alice.dm).filter(({ plain }) => plain.includes('from another version of Bellhop')).length

describe.each(views)('a submission of %s', (callbackId) => {
  it.each(otherVersions)(
    'with %s in its memory says to open it again, and does nothing',
    async (_what, state) => {
      const before = service.requests.length
      const told = timesTold()

      expect((await send(world, submitted(callbackId, state))).status).toBe(200)

      await slack.workspace.changes.until(
        () => timesTold() > told || undefined,
        5_000,
        () => alice.screen(),
      )
      await slack.idle()
      expect(service.requests).toHaveLength(before)
      expect(world.log.join('')).not.toContain(secret)
      expect(world.log.filter((line) => line.includes('a request failed'))).toEqual([])
    },
  )
})

describe.each(['approval.ask', 'approval.decline'])('a submission of %s', (callbackId) => {
  it.each(['workspaceId', 'channelId', 'threadTs', 'pressedTs'])(
    'whose place has half a letter as its %s says to open it again, and leads nowhere',
    async (part) => {
      const told = timesTold()
      const place = { isDirect: false, workspaceId: slack.teamId, channelId: general.id, [part]: '\ud800' }
      const state = JSON.stringify({ id: 'x', wishId: 'x', place })

      expect((await send(world, submitted(callbackId, state))).status).toBe(200)

      await slack.workspace.changes.until(
        () => timesTold() > told || undefined,
        5_000,
        () => alice.screen(),
      )
      expect(world.log.filter((line) => line.includes('a request failed'))).toEqual([])
    },
  )
})

let triggers = 1

describe('a button', () => {
  it.each(['', '\0', secret, '{"cardId":"x"}', '__proto__', 'share', `grant ${secret}`, '../../x', '-1'])(
    'with the value %j of another version or nobody does no harm',
    async (value) => {
      const before = service.requests.length
      const from = { type: 'block_actions', team: { id: slack.teamId }, channel: { id: general.id } }
      const actions = [
        ...['alert.refresh', 'alert.more', 'alert.share', 'alert.show-earlier', 'alert.page-earlier'],
        ...['alert.page-later', 'watch.start', 'watch.stop', 'grant.confirm', 'grant.cancel', 'grant.share'],
        ...['grant.rest', 'grant.look', 'grant.role'],
        ...['approval.approve', 'approval.withdraw', 'approval.decline', 'approval.look-again'],
      ]

      for (const [index, action_id] of actions.entries()) {
        const user = { id: alice.id, username: 'alice', team_id: slack.teamId }
        const press = {
          ...from,
          user,
          trigger_id: `${triggers++}.${index}`,
          actions: [{ type: 'button', action_id, value }],
        }
        expect((await send(world, interaction(press))).status).toBeLessThan(500)
      }

      await slack.idle()
      expect(service.requests).toHaveLength(before)
      expect(world.log.filter((line) => line.includes('a request failed'))).toEqual([])
      expect(slack.messagesIn(general).filter(({ ephemeralFor }) => ephemeralFor === undefined)).toEqual([])
    },
  )

  it('of a grant with the id of somebody’s own comment takes that for no grant', async () => {
    const here = await openWorld({ env: { RATE_PER_MINUTE: '0' } })
    const { alice, env, general, log, service, slack } = here
    service.addAlert({ ks: '5HkX', message: 'Disk full' })
    await alice.types('/alert comment 5HkX "On it"', general)
    await slack.idle()
    const database = new DatabaseSync(String(env.DATABASE_URL).replace('file:', ''))
    const row = database.prepare('select id from wishes').get()
    database.close()
    const value = String(row?.id)
    const before = service.requests.length
    const actions = [
      ...['grant.confirm', 'grant.cancel', 'grant.share', 'grant.rest', 'grant.edit', 'grant.look'],
      ...['grant.ask-approval', 'approval.look-again'],
    ]

    for (const action_id of actions) {
      const press = {
        ...{ type: 'block_actions', team: { id: slack.teamId }, channel: { id: general.id } },
        user: { id: alice.id, username: 'alice', team_id: slack.teamId },
        trigger_id: `${value} ${action_id}`,
        actions: [{ type: 'button', action_id, value }],
      }
      expect((await send(here, interaction(press))).status).toBeLessThan(500)
    }
    await slack.idle()

    expect(service.requests).toHaveLength(before)
    expect(log.filter((line) => line.includes('a request failed'))).toEqual([])
  })
})
