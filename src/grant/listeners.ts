// Slack's side of granting. Parses, asks, answers; decides nothing.

import { randomUUID } from 'node:crypto'
import type { App } from '@slack/bolt'
import { z } from 'zod'
import { UserError } from '../errors.ts'
import type { Guard } from '../slack/guard.ts'
import type { Outbound } from '../slack/outbound.ts'
import type { People, Profile } from '../slack/people.ts'
import type { Place } from '../slack/place.ts'
import type { Request } from '../slack/requests.ts'
import type { Granting } from './granting.ts'
import { type Grantee, type Prefill, parseGrant } from './input.ts'
import type { GrantSettings } from './input-flags.ts'
import { confirmModal, confirmView, grantModal, grantView, loadingModal, readForm } from './modal.ts'
import { cancelAction, grantAction, shareAction } from './render.ts'
import { confirmReasons } from './render-confirm.ts'
import { renderHelp, renderPresets, renderProblems } from './render-help.ts'

/** The modals' `private_metadata`: the intent, where its receipt goes, and whose profile the address is from. */
const modalState = z.object({
  id: z.string(),
  channelId: z.string().optional(),
  responseUrl: z.string().optional(),
  isDirect: z.boolean(),
  origin: z.object({ email: z.string(), name: z.string(), isGuest: z.boolean() }).optional(),
})

function stateOf(id: string, place: Place, origin?: Profile): string {
  const { channelId, responseUrl, isDirect } = place
  const named = origin && { ...origin, name: origin.name.slice(0, 80) }
  return JSON.stringify({ id, channelId, responseUrl, isDirect, origin: named })
}

function readState(privateMetadata: string, userId: string) {
  const { id, channelId, responseUrl, isDirect, origin } = modalState.parse(JSON.parse(privateMetadata))
  const place: Place = { userId, channelId, responseUrl, isDirect }
  return { id, place, origin }
}

const nothingTyped: Prefill = {
  container: '',
  grantee: undefined,
  authProvider: undefined,
  member: false,
  permissions: [],
}

const unknownPerson = 'Slack does not say who that is just now. Type the email address instead.'

export function registerGrant(
  app: App,
  guard: Guard,
  room: {
    readonly granting: Granting
    readonly people: People
    readonly outbound: Outbound
    readonly settings: GrantSettings
  },
): void {
  const { granting, people, outbound, settings } = room

  async function openForm({ triggerId, place }: Request, prefill: Prefill): Promise<void> {
    const id = randomUUID()
    const { grantee } = prefill
    if (grantee?.kind !== 'person') {
      await outbound.openView(triggerId, grantModal(stateOf(id, place), prefill, settings))
      return
    }
    // A trigger lives three seconds: the modal opens first, the look-up comes after.
    const viewId = await outbound.openView(triggerId, loadingModal())
    try {
      const profile = await people.profileOf(grantee.userId)
      const { email } = profile
      const found: Prefill = { ...prefill, grantee: { kind: 'email', email } }
      const form = grantModal(stateOf(id, place, profile), found, settings, { origin: profile })
      await outbound.updateView(viewId, form)
    } catch (error) {
      const problem = error instanceof UserError ? error.message : unknownPerson
      await outbound.updateView(viewId, grantModal(stateOf(id, place), prefill, settings, { problem }))
      if (!(error instanceof UserError)) throw error
    }
  }

  async function resolve(grantee: Grantee): Promise<{ readonly email: string; readonly profile?: Profile }> {
    if (grantee.kind === 'email') return { email: grantee.email }
    try {
      const profile = await people.profileOf(grantee.userId)
      return { email: profile.email, profile }
    } catch (error) {
      throw error instanceof UserError ? new UserError(`${error.message} Nothing was sent.`) : error
    }
  }

  app.command(
    '/grant',
    guard.command('grant', async (request) => {
      const ask = parseGrant(request.text, settings)
      switch (ask.kind) {
        case 'help':
          return request.answer(renderHelp(settings))
        case 'presets':
          return request.answer(renderPresets(settings.presets))
        case 'problems':
          return request.answer(renderProblems(ask.problems, request.text))
        case 'form':
          return openForm(request, ask.prefill)
        case 'grant': {
          const { email, profile } = await resolve(ask.grantee)
          const wish = { ...ask.request, email }
          // Slack gives each command its own trigger_id, so a replayed command is the same intent.
          const id = await granting.keep(request, request.triggerId, wish)
          const reasons = granting.needsApproval(wish) ? [] : confirmReasons(wish, profile)
          if (reasons.length > 0) return granting.confirmFirst(request, id, wish, reasons)
          return granting.send(request, id, { showsLine: false, replaces: false })
        }
        default:
          return ask satisfies never
      }
    }),
  )

  app.shortcut(
    grantView,
    guard.shortcut('grant', (request) => openForm(request, nothingTyped)),
  )

  app.view(
    grantView,
    guard.submission('grant', async ({ asker, filled, privateMetadata, ack }) => {
      const ask = readForm(filled, settings)
      if (ask.kind === 'problems') return ack({ response_action: 'errors', errors: { ...ask.problems } })
      const { id, place, origin } = readState(privateMetadata, asker.userId)
      const { request } = ask
      const from = { asker, place }
      const profile = origin?.email === request.email ? origin : undefined
      const reasons = granting.needsApproval(request) ? [] : confirmReasons(request, profile)
      if (reasons.length > 0) {
        // Whoever goes back and changes the form is shown another confirmation, with an id of its own.
        const shownId = randomUUID()
        await ack({ response_action: 'push', view: confirmModal(stateOf(shownId, place), request, reasons) })
        await granting.keep(from, shownId, request)
        return
      }
      await ack()
      await guard.at('grant', place, async () => {
        const keptId = await granting.keep(from, id, request)
        await granting.send(from, keptId, { showsLine: true, replaces: false })
      })
    }),
  )

  app.view(
    confirmView,
    guard.submission('grant', async ({ asker, privateMetadata, ack }) => {
      const { id, place } = readState(privateMetadata, asker.userId)
      await ack({ response_action: 'clear' })
      await guard.at('grant', place, () =>
        granting.send({ asker, place }, id, { showsLine: true, replaces: false }),
      )
    }),
  )

  app.action(
    grantAction,
    guard.action('grant', (pressed) =>
      granting.send(pressed, pressed.value, { showsLine: false, replaces: true }),
    ),
  )
  app.action(
    cancelAction,
    guard.action('grant', (pressed) => granting.cancel(pressed, pressed.value)),
  )
  app.action(
    shareAction,
    guard.action('grant', (pressed) => granting.share(pressed, pressed.value)),
  )
}
