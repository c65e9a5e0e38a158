// Slack's side of granting. Parses, asks, answers; decides nothing.

import { always, type Guard } from '../slack/guard/guard.ts'
import type { Listeners } from '../slack/guard/listeners.ts'
import type { Command } from '../slack/guard/requests.ts'
import { nothingTyped, type OpenForm } from './form.ts'
import { originsIn, readState, stateOf } from './form-state.ts'
import type { Granting } from './granting.ts'
import { newId } from './granting-steps.ts'
import { parseGrant } from './input.ts'
import type { GrantSettings } from './input-flags.ts'
import { readForm } from './input-form.ts'
import { confirmModal, confirmView, grantView, inputs } from './modal.ts'
import type { TooMany } from './recipients.ts'
import { cancelAction, grantAction, shareAction } from './render.ts'
import { confirmReasons } from './render-confirm.ts'
import { openFormAction } from './render-help.ts'
import { restAction } from './render-several.ts'

export function registerGrant(
  listeners: Listeners,
  guard: Guard,
  room: {
    readonly granting: Granting
    readonly command: Command
    readonly openForm: OpenForm
    readonly settings: GrantSettings
    readonly tooMany: TooMany
  },
): void {
  const { granting, command, openForm, settings, tooMany } = room

  listeners.command('/grant', guard.command('grant', command))

  listeners.action(
    openFormAction,
    guard.action('grant', (pressed) => {
      const ask = parseGrant(pressed.value, settings)
      return openForm(pressed, ask.kind === 'form' ? ask.prefill : nothingTyped)
    }),
  )

  listeners.shortcut(
    grantView,
    guard.shortcut('grant', (request) => openForm(request, nothingTyped)),
  )

  listeners.view(
    grantView,
    guard.submission('grant', async ({ asker, filled, privateMetadata, ack }) => {
      const ask = readForm(filled, settings)
      if (ask.kind === 'problems') return ack({ response_action: 'errors', errors: { ...ask.problems } })
      const tooSoon = await tooMany(asker, ask.wish.emails)
      if (tooSoon !== undefined)
        return ack({ response_action: 'errors', errors: { [inputs.email]: tooSoon } })
      const { id, place, origins, about } = readState(privateMetadata, asker)
      const { wish } = ask
      const from = { asker, place }
      const profiles = originsIn(origins, wish.emails)
      const reasons = granting.needsApproval(wish) ? [] : confirmReasons(wish, profiles)
      if (reasons.length > 0) {
        // Whoever goes back and changes the form is shown another confirmation, with an id of its own.
        const shownId = newId(wish)
        const state = stateOf(shownId, place)
        await ack({ response_action: 'push', view: confirmModal(state, wish, reasons) })
        await granting.keep(from, shownId, wish, about)
        return
      }
      await ack()
      await guard.at('grant', place, async () => {
        const keptId = await granting.keep(from, id, wish, about)
        await granting.send(from, keptId, { showsLine: true, replaces: false }, profiles)
      })
    }),
  )

  listeners.view(
    confirmView,
    guard.submission('grant', async ({ asker, privateMetadata, ack }) => {
      const { id, place } = readState(privateMetadata, asker)
      await ack({ response_action: 'clear' })
      await guard.at('grant', place, () =>
        granting.send({ asker, place }, id, { showsLine: true, replaces: false }),
      )
    }),
  )

  listeners.action(
    grantAction,
    guard.action('grant', (pressed) =>
      granting.send(pressed, pressed.value, { showsLine: false, replaces: true }),
    ),
  )
  listeners.action(
    cancelAction,
    guard.action('grant', (pressed) => granting.cancel(pressed, pressed.value), { isFree: always }),
  )
  listeners.action(
    shareAction,
    guard.action('grant', (pressed) => granting.share(pressed, pressed.value)),
  )
  listeners.action(
    restAction,
    guard.action('grant', (pressed) => granting.tryRest(pressed, pressed.value)),
  )
}
