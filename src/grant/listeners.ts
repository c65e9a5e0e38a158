// Slack's side of granting. Parses, asks, answers; decides nothing.

import { randomUUID } from 'node:crypto'
import { always, type Guard } from '../slack/guard/guard.ts'
import type { Listeners } from '../slack/guard/listeners.ts'
import type { Command } from '../slack/guard/requests.ts'
import { inTime } from '../work/under-way.ts'
import { editWish, lookOnceMore, tryRest } from './again.ts'
import { roleAction } from './form/access.ts'
import { containerIds } from './form/container.ts'
import { nothingTyped, openForm, redrawForm, suggestTo } from './form/form.ts'
import { readForm } from './form/input.ts'
import { originsIn, readState, stateOf } from './form/kept.ts'
import { confirmModal, confirmView, grantView } from './form/modal.ts'
import { cancelWish, keepAndSend, keepWish, needsApproval, sendKept, shareWish } from './granting.ts'
import { type GrantAsk, parseGrant } from './line/line.ts'
import { cancelAction, confirmReasons, grantAction } from './render/confirm.ts'
import { openGrantFormAction } from './render/help.ts'
import { editAction, lookAction, restAction, shareAction } from './render/receipt.ts'
import type { GrantRoom } from './room.ts'

/** A confirmation is shown after so long in any case, in milliseconds. */
const longestKeepMs = 1_000

export function registerGrant(
  listeners: Listeners,
  guard: Guard,
  room: GrantRoom,
  command: Command<GrantAsk>,
): void {
  const { settings } = room

  listeners.command('/grant', guard.command('grant', command))

  listeners.action(
    openGrantFormAction,
    guard.action('grant', (pressed) => {
      const ask = parseGrant(pressed.value, settings)
      return openForm(room, pressed, ask.kind === 'form' ? ask.prefill : nothingTyped)
    }),
  )

  listeners.shortcut(
    grantView,
    guard.shortcut('grant', (request) => openForm(room, request, nothingTyped)),
  )

  // It asks nothing of the service, and what is chosen is charged when it is submitted.
  const whileFilling = { isUnlimited: always, isReadOnly: always }
  listeners.action(
    roleAction,
    guard.action('grant', (pressed) => redrawForm(room, pressed), whileFilling),
  )

  listeners.options(
    containerIds.suggest,
    guard.options('grant', (typing) => suggestTo(room, typing)),
  )

  listeners.view(
    grantView,
    guard.submission('grant', async ({ asker, filled, privateMetadata, ack }) => {
      const { id, place, origins, about } = readState(privateMetadata, asker)
      const ask = readForm(filled, settings)
      if (ask.kind === 'problems') return ack({ response_action: 'errors', errors: { ...ask.problems } })
      const { wish } = ask
      const from = { asker, place }
      const profiles = originsIn(origins, wish.emails)
      const reasons = needsApproval(room, wish) ? [] : confirmReasons(wish, profiles)
      if (reasons.length > 0) {
        // Whoever goes back and changes the form is shown another confirmation, with an id of its own.
        const shownId = randomUUID()
        const state = stateOf(shownId, place)
        const view = confirmModal(state, wish, reasons, settings.roles)
        // Before it is shown, so that no confirmation leads nowhere; but Slack waits no longer for its ack.
        const keeping = keepWish(room, from, shownId, wish, about)
        await inTime(keeping, longestKeepMs)
        await ack({ response_action: 'push', view })
        await keeping
        return
      }
      await ack()
      await guard.tellingFailures('grant', place, async () => {
        const how = { showsLine: true, replaces: false }
        await keepAndSend(room, from, id, wish, how, { origins: profiles, reason: about })
      })
    }),
  )

  listeners.view(
    confirmView,
    guard.submission('grant', async ({ asker, privateMetadata, ack }) => {
      const { id, place } = readState(privateMetadata, asker)
      await ack({ response_action: 'clear' })
      await guard.tellingFailures('grant', place, () =>
        sendKept(room, { asker, place }, id, { showsLine: true, replaces: false }),
      )
    }),
  )

  listeners.action(
    grantAction,
    guard.action('grant', (pressed) =>
      sendKept(room, pressed, pressed.value, { showsLine: false, replaces: true }),
    ),
  )
  listeners.action(
    cancelAction,
    guard.action('grant', (pressed) => cancelWish(room, pressed, pressed.value), { isUnlimited: always }),
  )
  listeners.action(
    shareAction,
    guard.action('grant', (pressed) => shareWish(room, pressed, pressed.value)),
  )
  listeners.action(
    restAction,
    guard.action('grant', (pressed) => tryRest(room, pressed, pressed.value)),
  )
  listeners.action(
    lookAction,
    guard.action('grant', (pressed) => lookOnceMore(room, pressed, pressed.value)),
  )
  listeners.action(
    editAction,
    guard.action('grant', (pressed) => editWish(room, pressed, pressed.value)),
  )
}
