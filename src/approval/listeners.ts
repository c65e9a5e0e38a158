// Slack's side of approvals. Parses, asks, answers; decides nothing.
import { z } from 'zod'
import type { House } from '../house.ts'
import { type ActionRequest, readPrivateMetadata, type Submission } from '../slack/guard/requests.ts'
import { keptPlace, keptPlaceSchema, placeFrom } from '../slack/outbound/delivery.ts'
import { askForApproval, previewRequest } from './ask.ts'
import { decline, findToDecline } from './decide.ts'
import { whyNot } from './render/messages.ts'
import { askModal, channelInput, declineModal, noReason, reasonInput } from './render/modal.ts'

/** The ask modal's `private_metadata`. */
const askState = z.object({ grantId: z.string(), place: keptPlaceSchema })
/** The decline modal's. */
const declineState = z.object({ id: z.string(), place: keptPlaceSchema })

const errors = { [reasonInput]: noReason }

export async function openAskForm(house: House, pressed: ActionRequest): Promise<void> {
  const { place, triggerId, value: grantId } = pressed
  const { asksWhere, ...wanted } = await previewRequest(house, pressed, grantId)
  const state = JSON.stringify({ grantId, place: keptPlace(place) })
  await house.slack.openView(triggerId, askModal(state, wanted, house.config.roles, asksWhere))
}

export async function askByForm(house: House, submitted: Submission): Promise<void> {
  const { asker, filled, privateMetadata, ack } = submitted
  const reason = filled.text(reasonInput)
  const { grantId, place } = readPrivateMetadata(askState, privateMetadata)
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
  const from = submitted.moveTo(placeFrom(place, asker))
  await askForApproval(house, from, { grantId, reason, chosen })
}

export async function openDeclineForm(house: House, pressed: ActionRequest): Promise<void> {
  const { place, triggerId, value: id } = pressed
  const approval = await findToDecline(house, pressed, id)
  if (approval === undefined) return
  const state = JSON.stringify({ id, place: keptPlace(place) })
  await house.slack.openView(triggerId, declineModal(state, approval, house.config.roles))
}

export async function declineByForm(house: House, submitted: Submission): Promise<void> {
  const { asker, filled, privateMetadata, ack } = submitted
  const reason = filled.text(reasonInput)
  const { id, place } = readPrivateMetadata(declineState, privateMetadata)
  if (reason === '') return ack({ response_action: 'errors', errors })
  await ack()
  const from = submitted.moveTo(placeFrom(place, asker))
  await decline(house, from, id, reason)
}
