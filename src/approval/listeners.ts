// Slack's side of approvals. Parses, asks, answers; decides nothing.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { askApprovalAction } from '../grant/render/approval.ts'
import { readKept } from '../slack/guard/filled.ts'
import { always, type Guard } from '../slack/guard/guard.ts'
import type { Listeners } from '../slack/guard/listeners.ts'
import { keptPlace, keptPlaceSchema, placeFrom } from '../slack/outbound/delivery.ts'
import type { Outbound } from '../slack/outbound/outbound.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import type { Approving } from './approve.ts'
import type { Asking } from './ask.ts'
import type { Closing } from './close.ts'
import { askModal, askView, declineModal, declineView, noReason, postToInput, reasonInput } from './modal.ts'
import { readState, stateOf } from './press.ts'
import { actions } from './render/card.ts'
import { privateActions } from './render/told.ts'

/** The ask modal's `private_metadata`. */
const askState = z.object({ id: z.string(), wishId: z.string(), place: keptPlaceSchema })

const errors = { [reasonInput]: noReason }

export function registerApproval(
  listeners: Listeners,
  guard: Guard,
  room: {
    readonly asking: Asking
    readonly approving: Approving
    readonly closing: Closing
    readonly outbound: PerWorkspace<Outbound>
  },
): void {
  const { asking, approving, closing, outbound } = room

  listeners.action(
    askApprovalAction,
    guard.action('grant', async ({ asker, place, triggerId, value: wishId }) => {
      const { wish, asksWhere } = await asking.wishOf({ asker, place }, wishId)
      const state = JSON.stringify({ id: randomUUID(), wishId, place: keptPlace(place) })
      await outbound.in(asker.workspaceId).openView(triggerId, askModal(state, wish, { asksWhere }))
    }),
  )

  listeners.view(
    askView,
    guard.submission('grant', async ({ asker, filled, privateMetadata, ack }) => {
      const reason = filled.text(reasonInput)
      const { id, wishId, place: kept } = readKept(askState, privateMetadata)
      const from = { asker, place: placeFrom(kept, asker) }
      const conversation = filled.conversation(postToInput)
      const problem = await asking.problemWith(from, conversation)
      if (reason === '' || problem !== undefined) {
        return ack({
          response_action: 'errors',
          errors: { ...(reason === '' && errors), ...(problem && { [postToInput]: problem }) },
        })
      }
      await ack()
      await guard.at('grant', from.place, () =>
        asking.ask(from, { id, wishId, reason, chosen: conversation }),
      )
    }),
  )

  for (const [action, isCard] of [
    [actions.approve, true],
    [privateActions.approve, false],
  ] as const) {
    listeners.action(
      action,
      guard.action('grant', (pressed) => approving.approve({ ...pressed, isCard }, pressed.value)),
    )
  }

  for (const [action, isCard] of [
    [actions.withdraw, true],
    [privateActions.withdraw, false],
  ] as const) {
    listeners.action(
      action,
      guard.action('grant', (pressed) => closing.withdraw({ ...pressed, isCard }, pressed.value), {
        isFree: always,
      }),
    )
  }

  listeners.action(
    privateActions.post,
    guard.action('grant', (pressed) => asking.postAgain({ ...pressed, isCard: false }, pressed.value)),
  )

  listeners.action(
    actions.decline,
    guard.action(
      'grant',
      async (pressed) => {
        const act = { ...pressed, isCard: true }
        const approval = await closing.toDecline(act, pressed.value)
        if (approval === undefined) return
        await outbound
          .in(pressed.asker.workspaceId)
          .openView(pressed.triggerId, declineModal(stateOf(approval.id, act), approval))
      },
      { isFree: always },
    ),
  )

  listeners.view(
    declineView,
    guard.submission(
      'grant',
      async ({ asker, filled, privateMetadata, ack }) => {
        const reason = filled.text(reasonInput)
        if (reason === '') return ack({ response_action: 'errors', errors })
        await ack()
        const { id, act } = readState(privateMetadata, asker)
        await guard.at('grant', act.place, () => closing.decline(act, id, reason))
      },
      { isFree: always },
    ),
  )
}
