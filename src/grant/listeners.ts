// Slack's side of granting. Parses, asks, answers; decides nothing.

import { randomUUID } from 'node:crypto'
import type { App } from '@slack/bolt'
import { z } from 'zod'
import { UserError } from '../errors.ts'
import type { Guard } from '../slack/guard.ts'
import type { Outbound } from '../slack/outbound.ts'
import type { People, Profile } from '../slack/people.ts'
import type { Place } from '../slack/place.ts'
import type { CommandRequest } from '../slack/requests.ts'
import type { Granting } from './granting.ts'
import { type Grantee, type GrantSettings, type Prefill, parseGrant } from './input.ts'
import {
  confirmModal,
  confirmView,
  grantModal,
  grantView,
  loadingModal,
  problemModal,
  readForm,
} from './modal.ts'
import {
  cancelAction,
  confirmReasons,
  grantAction,
  renderHelp,
  renderPresets,
  renderProblems,
  shareAction,
} from './render.ts'

/** The modals' `private_metadata`: the intent, and where its receipt goes. */
const modalState = z.object({
  id: z.string(),
  channelId: z.string().optional(),
  responseUrl: z.string().optional(),
  isDirect: z.boolean(),
})

function stateOf(id: string, { channelId, responseUrl, isDirect }: Place): string {
  return JSON.stringify({ id, channelId, responseUrl, isDirect })
}

function readState(privateMetadata: string, userId: string): { readonly id: string; readonly place: Place } {
  const { id, channelId, responseUrl, isDirect } = modalState.parse(JSON.parse(privateMetadata))
  return { id, place: { userId, channelId, responseUrl, isDirect } }
}

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

  async function openForm(request: CommandRequest, prefill: Prefill): Promise<void> {
    const state = stateOf(randomUUID(), request.place)
    if (prefill.grantee?.kind !== 'person') {
      await outbound.openView(request.triggerId, grantModal(state, prefill, settings))
      return
    }
    // A trigger lives three seconds: the modal opens first, the look-up comes after.
    const viewId = await outbound.openView(request.triggerId, loadingModal())
    const view = await formFor(prefill.grantee.userId, state, prefill)
    await outbound.updateView(viewId, view)
  }

  async function formFor(userId: string, state: string, prefill: Prefill) {
    try {
      const { email } = await people.profileOf(userId)
      return grantModal(state, { ...prefill, grantee: { kind: 'email', email } }, settings)
    } catch (error) {
      if (error instanceof UserError) return problemModal(error.message)
      throw error
    }
  }

  async function resolve(grantee: Grantee): Promise<{ readonly email: string; readonly profile?: Profile }> {
    if (grantee.kind === 'email') return { email: grantee.email }
    const profile = await people.profileOf(grantee.userId)
    return { email: profile.email, profile }
  }

  app.command(
    '/grant',
    guard.command('grant', async (request) => {
      const ask = parseGrant(request.text, settings)
      switch (ask.kind) {
        case 'help':
          return request.answer(renderHelp())
        case 'presets':
          return request.answer(renderPresets(settings.presets))
        case 'problems':
          return request.answer(renderProblems(ask.problems))
        case 'form':
          return openForm(request, ask.prefill)
        case 'grant': {
          const { email, profile } = await resolve(ask.grantee)
          const wish = { ...ask.request, email }
          // Slack gives each command its own trigger_id, so a replayed command is the same intent.
          const id = request.triggerId
          await granting.keep(request, id, wish)
          const reasons = confirmReasons(wish, profile)
          if (reasons.length > 0) return granting.confirmFirst(request, id, wish, reasons)
          return granting.send(request, id, { showsLine: false, replaces: false })
        }
        default:
          return ask satisfies never
      }
    }),
  )

  app.view(
    grantView,
    guard.submission('grant', async ({ asker, filled, privateMetadata, ack }) => {
      const ask = readForm(filled, settings)
      if (ask.kind === 'problems') return ack({ response_action: 'errors', errors: { ...ask.problems } })
      const { id, place } = readState(privateMetadata, asker.userId)
      const reasons = confirmReasons(ask.request, undefined)
      if (reasons.length > 0) {
        // Whoever goes back and changes the form is shown another confirmation, with an id of its own.
        const shownId = randomUUID()
        await granting.keep({ asker, place }, shownId, ask.request)
        return ack({
          response_action: 'push',
          view: confirmModal(stateOf(shownId, place), ask.request, reasons),
        })
      }
      await ack()
      await guard.at('grant', place, async () => {
        await granting.keep({ asker, place }, id, ask.request)
        await granting.send({ asker, place }, id, { showsLine: true, replaces: false })
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
