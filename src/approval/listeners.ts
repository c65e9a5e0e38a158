// Slack's side of approvals. Parses, asks, answers; decides nothing.
import { z } from 'zod'
import { askApprovalAction } from '../grant/render/confirm.ts'
import { always, type Guard } from '../slack/guard/guard.ts'
import type { Listeners } from '../slack/guard/listeners.ts'
import { readPrivateMetadata } from '../slack/guard/requests.ts'
import { keptPlace, keptPlaceSchema, placeFrom } from '../slack/outbound/delivery.ts'
import { askForApproval, previewRequest } from './ask.ts'
import { approve, decline, findToDecline, lookAtAttempt, withdraw } from './decide.ts'
import { actions } from './render/card.ts'
import {
  askModal,
  askView,
  channelInput,
  declineModal,
  declineView,
  noReason,
  reasonInput,
} from './render/modal.ts'
import { privateActions, whyNot } from './render/told.ts'
import type { ApprovalRoom } from './room.ts'

/** The ask modal's `private_metadata`. */
const askState = z.object({ wishId: z.string(), place: keptPlaceSchema })
/** The decline modal's. */
const declineState = z.object({ id: z.string(), place: keptPlaceSchema })

const errors = { [reasonInput]: noReason }

export function registerApproval(listeners: Listeners, guard: Guard, room: ApprovalRoom): void {
  const { outbound } = room

  listeners.action(
    askApprovalAction,
    guard.action('approval', async ({ asker, place, triggerId, value: wishId }) => {
      const { wish, container, ...how } = await previewRequest(room, { asker, place }, wishId)
      const state = JSON.stringify({ wishId, place: keptPlace(place) })
      await outbound.in(asker.workspaceId).openView(triggerId, askModal(state, { wish, container }, how))
    }),
  )

  listeners.view(
    askView,
    guard.submission('approval', async ({ asker, filled, privateMetadata, ack }) => {
      const reason = filled.text(reasonInput)
      const { wishId, place: kept } = readPrivateMetadata(askState, privateMetadata)
      const from = { asker, place: placeFrom(kept, asker) }
      const chosen = filled.conversation(channelInput)
      // Nobody could change a card there, and Slack does not say who would see it.
      const isDirect = chosen !== undefined && (chosen.isDirect || chosen.channelId === undefined)
      if (reason === '' || isDirect) {
        return ack({
          response_action: 'errors',
          errors: { ...(reason === '' && errors), ...(isDirect && { [channelInput]: whyNot.directThere }) },
        })
      }
      await ack()
      await guard.tellingFailures('approval', from.place, () =>
        askForApproval(room, from, { wishId, reason, chosen }),
      )
    }),
  )

  listeners.action(
    actions.approve,
    guard.action('approval', (pressed) => approve(room, { ...pressed, isCard: true }, pressed.value)),
  )

  for (const [action, isCard] of [
    [actions.withdraw, true],
    [privateActions.withdraw, false],
  ] as const) {
    listeners.action(
      action,
      guard.action('approval', (pressed) => withdraw(room, { ...pressed, isCard }, pressed.value), {
        isUnlimited: always,
      }),
    )
  }

  listeners.action(
    privateActions.look,
    guard.action('approval', (pressed) => lookAtAttempt(room, { ...pressed, isCard: false }, pressed.value)),
  )

  listeners.action(
    actions.decline,
    guard.action(
      'approval',
      async (pressed) => {
        const approval = await findToDecline(room, { ...pressed, isCard: true }, pressed.value)
        if (approval === undefined) return
        const { asker: presser, place, triggerId } = pressed
        const state = JSON.stringify({ id: approval.id, place: keptPlace(place) })
        await outbound.in(presser.workspaceId).openView(triggerId, declineModal(state, approval))
      },
      { isUnlimited: always },
    ),
  )

  listeners.view(
    declineView,
    guard.submission(
      'approval',
      async ({ asker: decliner, filled, privateMetadata, ack }) => {
        const reason = filled.text(reasonInput)
        if (reason === '') return ack({ response_action: 'errors', errors })
        await ack()
        const { id, place: kept } = readPrivateMetadata(declineState, privateMetadata)
        // Only the card has the button.
        const press = { asker: decliner, place: placeFrom(kept, decliner), isCard: true }
        await guard.tellingFailures('approval', press.place, () => decline(room, press, id, reason))
      },
      { isUnlimited: always },
    ),
  )
}
