// Nothing reaches from one workspace into another: everything that people of Acme did is sent again by somebody of
// Globex, with Acme's own ids in it, to every listener that there is.
import { DatabaseSync } from 'node:sqlite'
import { App } from '@slack/bolt'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Json, list, parseJson, record, text } from '../../src/playground/slack/json.ts'
import type { DeliveryKind } from '../../src/playground/slack/model.ts'
import { signedHeaders } from '../signed-request.ts'
import { annToken, playAcme, secrets } from './acme-story.ts'
import { type Installs, openInstalls } from './world.ts'

interface Sending {
  readonly kind: DeliveryKind
  readonly payload: Json
}

/** What the app listens to, as `kind id`. */
function spyOnListeners(): () => readonly string[] {
  const spies = (['command', 'action', 'view', 'shortcut', 'event'] as const).map(
    (kind) => [kind, vi.spyOn(App.prototype, kind)] as const,
  )
  onTestFinished(() => {
    for (const [, spy] of spies) spy.mockRestore()
  })
  return () => spies.flatMap(([kind, spy]) => spy.mock.calls.map(([id]) => `${kind} ${String(id)}`))
}

function listenerOf({ kind, payload }: Sending): string {
  if (kind === 'slash_commands') return `command ${payload.command}`
  if (kind === 'event') return `event ${record(payload.event).type}`
  if (kind === 'view_submission') return `view ${record(payload.view).callback_id}`
  if (kind === 'block_actions') return `action ${record(list(payload.actions)[0]).action_id}`
  return `shortcut ${payload.callback_id}`
}

/** Every object in it. */
function objectsIn(value: unknown): readonly Json[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn)
  if (typeof value !== 'object' || value === null) return []
  return [record(value), ...Object.values(value).flatMap(objectsIn)]
}

/** Everything that was shown in Acme, however it got there. */
function shownIn({ acme }: Installs): readonly Json[] {
  const { calls, workspace } = acme.slack
  const parsed = calls.flatMap(({ args }) =>
    Object.values(args).map((one) => (typeof one === 'string' ? parseJson(one) : one)),
  )
  return objectsIn([parsed, workspace.messages.map(({ blocks }) => blocks)])
}

/** What each button was worth when it was shown. A menu's options are values of the menu. */
function valuesShown(shown: readonly Json[]): ReadonlyMap<string, ReadonlySet<string>> {
  const values = new Map<string, Set<string>>()
  for (const { action_id: id, value, options } of shown) {
    const actionId = text(id)
    if (actionId === undefined) continue
    const known = values.get(actionId) ?? new Set()
    values.set(actionId, known)
    for (const one of [value, ...list(options).map((option) => record(option).value)]) {
      if (typeof one === 'string') known.add(one)
    }
  }
  return values
}

/** Listeners that Acme does not come to: what their buttons are worth, is worth the same elsewhere. */
const sameAs: Readonly<Record<string, string>> = {
  'action grant.rest': 'grant.ask-approval',
  'action alert.page-earlier': 'alert.show-earlier',
  'action alert.page-later': 'alert.show-earlier',
  'action watch.start-directly': 'alert.refresh',
  'action approval.approve-after-all': 'approval.approve',
  'action approval.post-again': 'approval.approve',
  'action approval.withdraw-own': 'approval.withdraw',
}

/** Installing by OAuth needs PUBLIC_URL, and where that is set no form for tokens opens. */
const unused = ['view account.connect']

/** Events that Slack sends by itself. */
function leavingEvents({ acme }: Installs): readonly Json[] {
  const { id } = acme.admin
  return [
    { type: 'user_change', user: { id, deleted: true } },
    { type: 'tokens_revoked', tokens: { oauth: [id], bot: [acme.slack.bot.userId] } },
    { type: 'app_uninstalled' },
  ]
}

/** Everything that was sent, and what could have been sent with what was shown. */
function sendings(world: Installs, listeners: readonly string[]): readonly Sending[] {
  const sent = world.acme.slack.deliveries.map(({ kind, payload }) => ({ kind, payload }))
  const shown = shownIn(world)
  const values = valuesShown(shown)
  const press = sent.find(({ kind, payload }) => kind === 'block_actions' && payload.message !== undefined)
  const presses = listeners
    .filter((one) => one.startsWith('action '))
    .flatMap((one) => {
      const [, actionId = ''] = one.split(' ')
      const worth = values.get(sameAs[one] ?? actionId) ?? []
      return [...worth].map((value) => {
        const [action] = list(press?.payload.actions)
        const control = { ...record(action), action_id: actionId, value, selected_option: { value } }
        return { kind: 'block_actions', payload: { ...press?.payload, actions: [control] } } as const
      })
    })
  const submissions = sent
    .filter(({ kind }) => kind === 'view_submission')
    .flatMap(({ payload }) => {
      const view = record(payload.view)
      const states = shown.filter(({ callback_id: id }) => id === view.callback_id)
      return states.map(({ private_metadata }) => {
        return {
          kind: 'view_submission',
          payload: { ...payload, view: { ...view, private_metadata } },
        } as const
      })
    })
  const template = sent.find(({ kind }) => kind === 'event')
  const leaving = leavingEvents(world).map(
    (event) => ({ kind: 'event', payload: { ...template?.payload, event } }) as const,
  )
  return [...sent, ...presses, ...submissions, ...leaving]
}

/** In whose name it is sent again. */
interface Forger {
  readonly userId: string
  readonly teamId: string
  /** For whom Slack delivers it. */
  readonly deliveredFor: { readonly teamId: string; readonly botUserId: string }
  readonly responseUrl: string
}

function forged({ kind, payload }: Sending, { userId, teamId, deliveredFor, responseUrl }: Forger): Json {
  const { teamId: to, botUserId } = deliveredFor
  const answered = payload.response_url === undefined ? {} : { response_url: responseUrl }
  if (kind === 'slash_commands') return { ...payload, ...answered, team_id: to, user_id: userId }
  if (kind === 'event') {
    const event = record(payload.event)
    const user = typeof event.user === 'string' ? { user: userId } : {}
    const authorizations = [{ team_id: to, enterprise_id: null, user_id: botUserId, is_bot: true }]
    return { ...payload, team_id: to, context_team_id: to, authorizations, event: { ...event, ...user } }
  }
  const view = payload.view !== undefined && {
    view: { ...record(payload.view), app_installed_team_id: to, team_id: to },
  }
  const urls = list(payload.response_urls).map((one) => ({ ...record(one), response_url: responseUrl }))
  return {
    ...payload,
    ...answered,
    ...view,
    ...(urls.length > 0 ? { response_urls: urls } : {}),
    team: { id: to, domain: 'forged' },
    user: { ...record(payload.user), id: userId, team_id: teamId },
  }
}

async function send({ front, clock, url }: Installs, kind: DeliveryKind, payload: Json): Promise<number> {
  const body =
    kind === 'event'
      ? JSON.stringify(payload)
      : kind === 'slash_commands'
        ? new URLSearchParams(
            Object.entries(payload).map(([name, one]): [string, string] => [name, String(one)]),
          ).toString()
        : `payload=${encodeURIComponent(JSON.stringify(payload))}`
  const type = kind === 'event' ? 'application/json' : 'application/x-www-form-urlencoded'
  const timestamp = String(Math.floor(clock.now() / 1000))
  const headers = { 'content-type': type, ...signedHeaders(body, front.app.signingSecret, timestamp) }
  return (await fetch(`${url}/slack/events`, { method: 'POST', headers, body })).status
}

/** All that is kept of a workspace. */
function rowsOf({ env }: Installs, workspaceId: string): Readonly<Record<string, readonly unknown[]>> {
  const database = new DatabaseSync(String(env.DATABASE_URL).replace('file:', ''), { readOnly: true })
  try {
    const tables = database
      .prepare(
        `select m.name as name from sqlite_master m join pragma_table_info(m.name) c
         where m.type = 'table' and c.name = 'workspace_id'`,
      )
      .all()
    return Object.fromEntries(
      tables.map(({ name }) => [
        name,
        database.prepare(`select * from "${name}" where workspace_id = ? order by rowid`).all(workspaceId),
      ]),
    )
  } finally {
    database.close()
  }
}

/** All of Acme that somebody could have changed or used. */
function stateOf(world: Installs) {
  const { slack, workspaceId } = world.acme
  return {
    rows: rowsOf(world, workspaceId),
    messages: slack.workspace.messages.map(({ ts, text: words, blocks, isDeleted }) => ({
      ts,
      words,
      blocks,
      isDeleted,
    })),
    calls: slack.calls.map(({ method }) => method),
  }
}

/** Acme has done everything; Gus of Globex is connected; Slack is quiet. */
async function openBoth() {
  const listeners = spyOnListeners()
  const world = await openInstalls({ env: { WATCH_INTERVAL_SECONDS: '3600', RATE_PER_MINUTE: '100000' } })
  await world.installEverywhere()
  await playAcme(world)
  const { globex, front } = world
  await world.connect(globex.admin, globex, 'gus-token-77aa')
  await front.idle()
  return { world, listeners: listeners() }
}

/** A way to answer that belongs to the forger. */
async function ownResponseUrl({ globex }: Installs): Promise<string> {
  const { payload } = await globex.admin.types('/alert help', globex.general)
  return text(payload.response_url) ?? ''
}

describe('what is known of one workspace', () => {
  it('is used by its own people, through every listener that there is', async () => {
    const { world, listeners } = await openBoth()
    const sent = new Set(sendings(world, listeners).map(listenerOf))
    // A new listener needs a line in the story of Acme.
    expect([...new Set(listeners)].filter((one) => !sent.has(one))).toEqual(unused)
    expect(
      Object.entries(rowsOf(world, world.acme.workspaceId)).filter(([, rows]) => rows.length === 0),
    ).toEqual([])
  })

  it.each([
    ['somebody of another', ({ globex }: Installs) => globex.admin.id],
    ['somebody of another who has the same id as one of its people', ({ acme }: Installs) => acme.admin.id],
  ])('cannot be reached, changed or seen by %s', async (_, whose) => {
    const { world, listeners } = await openBoth()
    const { globex, front, service } = world
    const all = sendings(world, listeners)
    const before = stateOf(world)
    const asked = service.requests.length
    const spoken = globex.slack.calls.length

    for (const sending of all) {
      const forger = {
        userId: whose(world),
        teamId: globex.slack.teamId,
        deliveredFor: { teamId: globex.slack.teamId, botUserId: globex.slack.bot.userId },
        responseUrl: await ownResponseUrl(world),
      }
      expect(await send(world, sending.kind, forged(sending, forger)), listenerOf(sending)).toBe(200)
    }
    await front.idle()

    expect(stateOf(world)).toEqual(before)
    expect(
      service.requests.slice(asked).filter(({ token }) => token !== 'gus' && token !== undefined),
    ).toEqual([])
    const said = JSON.stringify(globex.slack.calls.slice(spoken).map(({ args }) => args))
    for (const secret of [secrets.reason, annToken]) expect(said).not.toContain(secret)
  })
})
