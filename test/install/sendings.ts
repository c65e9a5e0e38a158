// Everything that Slack sent for one workspace, and could have sent with what was shown there.
import { afterAll, vi } from 'vitest'
import { type Json, list, parseJson, record, text } from '../../playground/slack/model/json.ts'
import type { DeliveryKind } from '../../playground/slack/model/model.ts'
import { Listeners } from '../../src/slack/guard/listeners.ts'
import type { Installs } from './world.ts'

export const gusToken = 'gus-token-77aa'

export interface Sending {
  readonly kind: DeliveryKind
  readonly payload: Json
}

/** What the app listens to, as `kind id`. */
export function spyOnListeners(): () => readonly string[] {
  const spies = (['command', 'action', 'options', 'view', 'shortcut', 'event'] as const).map(
    (kind) => [kind, vi.spyOn(Listeners.prototype, kind)] as const,
  )
  afterAll(() => {
    for (const [, spy] of spies) spy.mockRestore()
  })
  return () => spies.flatMap(([kind, spy]) => spy.mock.calls.map(([id]) => `${kind} ${String(id)}`))
}

export function listenerOf({ kind, payload }: Sending): string {
  if (kind === 'slash_commands') return `command ${payload.command}`
  if (kind === 'event') return `event ${record(payload.event).type}`
  if (kind === 'view_submission') return `view ${record(payload.view).callback_id}`
  if (kind === 'block_actions') return `action ${record(list(payload.actions)[0]).action_id}`
  if (kind === 'block_suggestion') return `options ${payload.action_id}`
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
  'action grant.via.3': 'grant.via.2',
  'action alert.page-earlier': 'alert.show-earlier',
  'action alert.page-later': 'alert.show-earlier',
  'action watch.start-directly': 'alert.refresh',
  'action watch.stop': 'alert.refresh',
  'action approval.approve-after-all': 'approval.approve',
  'action approval.approve-anyway': 'approval.approve',
  'action approval.look-again': 'approval.approve',
  'action approval.post-again': 'approval.approve',
  'action approval.withdraw': 'approval.approve',
  'action approval.withdraw-own': 'approval.approve',
}

/** Events that Slack sends by itself. */
function ownEvents({ acme }: Installs): readonly Json[] {
  const { id } = acme.admin
  return [
    { type: 'channel_shared', connected_team_id: 'T0OTHER01', channel: acme.general.id },
    { type: 'user_change', user: { id, deleted: true } },
    { type: 'tokens_revoked', tokens: { oauth: [id], bot: [acme.slack.bot.userId] } },
    { type: 'app_uninstalled' },
  ]
}

/** Everything that was sent, and what could have been sent with what was shown. */
export function sendings(world: Installs, listeners: readonly string[]): readonly Sending[] {
  const sent = world.acme.slack.deliveries.map(({ kind, payload }) => ({ kind, payload }))
  const shown = shownIn(world)
  const values = valuesShown(shown)
  const press = sent.find(({ kind, payload }) => kind === 'block_actions' && payload.message !== undefined)
  const presses = listeners
    .filter((one) => one.startsWith('action '))
    .flatMap((one) => {
      const [, actionId = ''] = one.split(' ')
      const worth = values.get(sameAs[one] ?? actionId)
      // Some say no more than that they were pressed.
      const shownWith = worth?.size === 0 ? [''] : [...(worth ?? [])]
      return shownWith.map((value) => {
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
  const leaving = ownEvents(world).map(
    (event) => ({ kind: 'event', payload: { ...template?.payload, event } }) as const,
  )
  const all = [...sent, ...presses, ...submissions, ...leaving].map((one) =>
    // Tokens of Acme are typed by nobody else.
    JSON.stringify(one).replaceAll(/(ann|amy|otto)-token-\w+/g, gusToken),
  )
  // A third of them is the same to the letter.
  return [...new Set(all)].map((one) => JSON.parse(one))
}
