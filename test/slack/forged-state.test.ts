// State that a modal or a button brings back, written by another version of Bellhop, or by somebody else altogether.
import { afterAll, describe, expect, it } from 'vitest'
import { otherVersion } from '../../src/slack/guard/requests.ts'
import { openFile } from '../database-folder.ts'
import { interaction, send } from '../signed-request.ts'
import { diskFull, openWorld, type World } from '../world.ts'
import { from } from './from.ts'

const secret = 'secret-90c1aa'
const place = { place: { isDirect: false } }
const otherVersions = [
  ['nothing', ''],
  ['no JSON', `${secret}}`],
  ['another shape', JSON.stringify({ intent: secret, channel: 'C1' })],
  ['another type', JSON.stringify({ id: 7, wishId: 7, waitingId: 7, cardId: 7, place: secret })],
  [
    'more than a form remembers',
    JSON.stringify({ ...place, id: 'x', waitingId: 'x'.repeat(2_900) }),
  ],
  ['prototype keys', `{"__proto__":{"id":"${secret}","waitingId":"x","place":{"isDirect":false}}}`],
] as const

/** One for all tests: nothing that is sent may do anything in it. */
const world = await openWorld({
  env: { RATE_PER_MINUTE: '0' },
  slack: { keepsLimits: false },
  until: afterAll,
})
const { general, service, slack } = world

const views = ['account.connect', 'grant.form', 'approval.ask', 'approval.decline']

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
    ...from(world),
    trigger_id: `${callbackId} ${privateMetadata}`,
    view: {
      id: 'V1',
      type: 'modal',
      callback_id: callbackId,
      private_metadata: privateMetadata,
      state: { values: Object.fromEntries(values) },
    },
  })

describe.each(views)('a submission of %s', (callbackId) => {
  it.each(otherVersions)(
    'with %s in its memory says in the form to open it again, and does nothing',
    async (_what, state) => {
      const before = service.requests.length

      const answer = await send(world, submitted(callbackId, state))

      expect(await answer.json()).toEqual({
        response_action: 'errors',
        errors: { token: otherVersion },
      })
      await slack.idle()
      expect(service.requests).toHaveLength(before)
      expect(world.log.join('')).not.toContain(secret)
      expect(world.log.filter((line) => line.includes('a request failed'))).toEqual([])
    },
  )
})

let presses = 0

/** By Alice, in #general. */
function press(here: World, action_id: string, value: string) {
  presses += 1
  return interaction({
    type: 'block_actions',
    ...from(here),
    channel: { id: here.general.id, name: 'general' },
    container: { type: 'message', message_ts: '1700000000.000100', channel_id: here.general.id },
    trigger_id: `1.${presses}`,
    actions: [{ type: 'button', action_id, block_id: 'b', value, action_ts: '1700000000.000200' }],
  })
}

describe('a button', () => {
  it.each([
    '',
    '\0',
    secret,
    '{"cardId":"x"}',
    '__proto__',
    'share',
    `grant ${secret}`,
    '../../x',
    '-1',
  ])('with the value %j of another version or nobody does no harm', async (value) => {
    const before = service.requests.length
    const actions = [
      ...['alert.refresh', 'alert.more', 'alert.share'],
      ...['watch.start', 'watch.stop', 'grant.confirm', 'grant.cancel', 'grant.share'],
      ...['grant.rest', 'grant.look', 'grant.role', 'grant.person', 'grant.invite'],
      ...['grant.who-more', 'grant.who-person', 'grant.uninvite'],
      ...['approval.approve', 'approval.withdraw', 'approval.decline'],
    ]

    for (const action_id of actions) {
      expect((await send(world, press(world, action_id, value))).status).toBe(200)
    }

    await slack.idle()
    expect(service.requests).toHaveLength(before)
    expect(world.log.filter((line) => line.includes('a request failed'))).toEqual([])
    expect(
      slack.messagesIn(general).filter(({ ephemeralFor }) => ephemeralFor === undefined),
    ).toEqual([])
  })

  it('of a grant with the id of somebody’s own comment takes that for no grant', async () => {
    const here = await openWorld({ env: { RATE_PER_MINUTE: '0' } })
    const { alice, env, general, log, service, slack } = here
    service.addAlert(diskFull)
    await alice.types('/alert comment 5HkX "On it"', general)
    await slack.idle()
    const row = openFile(env.DATABASE_URL)
      .prepare("select id from docs where kind = 'request'")
      .get()
    const id = String(row?.id)
    const before = service.requests.length
    const actions = [
      ...['grant.confirm', 'grant.cancel', 'grant.share', 'grant.rest', 'grant.edit', 'grant.look'],
      ...['grant.ask-approval', 'grant.invite'],
    ]
    const presses = [
      ...actions.map((action_id) => [action_id, id] as const),
      ...['add', 'change', 'remove'].map((what) => ['grant.person', `${what} 0 ${id}`] as const),
    ]

    for (const [action_id, value] of presses) {
      expect((await send(here, press(here, action_id, value))).status).toBe(200)
    }
    await slack.idle()

    expect(service.requests).toHaveLength(before)
    expect(log.filter((line) => line.includes('a request failed'))).toEqual([])
  })
})
