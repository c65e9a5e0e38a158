// Slack's side of granting. Parses, asks, answers; decides nothing.

import { randomUUID } from 'node:crypto'
import type { App } from '@slack/bolt'
import { UserError } from '../errors.ts'
import type { Guard } from '../slack/guard.ts'
import type { Outbound } from '../slack/outbound.ts'
import type { People } from '../slack/people.ts'
import type { Request } from '../slack/requests.ts'
import { originsIn, readState, stateOf } from './form-state.ts'
import type { Granting } from './granting.ts'
import { newId } from './granting-steps.ts'
import { type Prefill, parseGrant } from './input.ts'
import type { GrantSettings } from './input-flags.ts'
import { readForm } from './input-form.ts'
import { confirmModal, confirmView, grantModal, grantView, loadingModal } from './modal.ts'
import { cancelAction, grantAction, shareAction } from './render.ts'
import { confirmReasons } from './render-confirm.ts'
import { renderHelp, renderPresets, renderProblems } from './render-help.ts'
import { restAction } from './render-several.ts'
import { resolve } from './resolve.ts'

const nothingTyped: Prefill = {
  container: '',
  grantees: [],
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
    if (prefill.grantees.every(({ kind }) => kind === 'email')) {
      await outbound.openView(triggerId, grantModal(stateOf(id, place), prefill, settings))
      return
    }
    // A trigger lives three seconds: the modal opens first, the look-up comes after.
    const viewId = await outbound.openView(triggerId, loadingModal())
    try {
      const { emails, profiles, problems } = await resolve(people, prefill.grantees)
      const grantees = emails.map((email) => ({ kind: 'email', email }) as const)
      const notes = { origins: profiles, problem: problems.join(' ') || undefined }
      const form = grantModal(stateOf(id, place, profiles), { ...prefill, grantees }, settings, notes)
      await outbound.updateView(viewId, form)
    } catch (error) {
      const form = grantModal(stateOf(id, place), prefill, settings, { problem: unknownPerson })
      await outbound.updateView(viewId, form)
      throw error
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
          const { emails, profiles, problems } = await resolve(people, ask.grantees)
          if (problems.length > 0) throw new UserError([...problems, 'Nothing was sent.'].join(' '))
          const wish = { ...ask.request, emails }
          // Slack gives each command its own trigger_id, so a replayed command is the same intent.
          const id = await granting.keep(request, request.triggerId, wish)
          const reasons = confirmReasons(wish, profiles)
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
      const { id, place, origins } = readState(privateMetadata, asker.userId)
      const { wish } = ask
      const from = { asker, place }
      const reasons = confirmReasons(wish, originsIn(origins, wish.emails))
      if (reasons.length > 0) {
        // Whoever goes back and changes the form is shown another confirmation, with an id of its own.
        const shownId = newId(wish)
        await ack({ response_action: 'push', view: confirmModal(stateOf(shownId, place), wish, reasons) })
        await granting.keep(from, shownId, wish)
        return
      }
      await ack()
      await guard.at('grant', place, async () => {
        const keptId = await granting.keep(from, id, wish)
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
  app.action(
    restAction,
    guard.action('grant', (pressed) => granting.tryRest(pressed, pressed.value)),
  )
}
