// Slack's side of approvals. Parses, asks, answers; decides nothing.
import { readState, stateOf } from '../grant/form/form.ts'
import type { House } from '../house.ts'
import type { ActionRequest, Submission } from '../slack/guard/requests.ts'
import { askForApproval, previewRequest } from './ask.ts'
import { decline, findToDecline } from './decide.ts'
import { whyNot } from './render/messages.ts'
import { askModal, channelInput, declineModal, noReason, reasonInput } from './render/modal.ts'

export async function openAskForm(house: House, pressed: ActionRequest): Promise<void> {
  const { place, triggerId, value: grantId } = pressed
  const asked = await previewRequest(house, pressed, grantId)
  const modal = askModal(stateOf(grantId, place), asked, house.config.roles)
  await house.slack.openView(triggerId, modal)
}

export async function askByForm(house: House, submitted: Submission): Promise<void> {
  const { asker, filled, privateMetadata, ack } = submitted
  const reason = filled.text(reasonInput)
  const { id: grantId, place } = readState(privateMetadata, asker)
  const chosen = filled.conversation(channelInput)
  // Nobody could change a card there, and Slack does not say who would see it.
  const isDirect = chosen !== undefined && (chosen.isDirect || chosen.channelId === undefined)
  const errors = {
    ...(reason === '' && { [reasonInput]: noReason }),
    ...(isDirect && { [channelInput]: whyNot.directThere }),
  }
  if (reason === '' || isDirect) return ack({ response_action: 'errors', errors })
  await ack()
  const channelId = chosen?.channelId
  await askForApproval(house, submitted.moveTo(place), { grantId, reason, channelId })
}

export async function openDeclineForm(house: House, pressed: ActionRequest): Promise<void> {
  const { place, triggerId, value: id } = pressed
  const approval = await findToDecline(house, pressed, id)
  if (approval === undefined) return
  const modal = declineModal(stateOf(id, place), approval, house.config.roles)
  await house.slack.openView(triggerId, modal)
}

export async function declineByForm(house: House, submitted: Submission): Promise<void> {
  const { asker, filled, privateMetadata, ack } = submitted
  const reason = filled.text(reasonInput)
  const { id, place } = readState(privateMetadata, asker)
  if (reason === '') return ack({ response_action: 'errors', errors: { [reasonInput]: noReason } })
  await ack()
  await decline(house, submitted.moveTo(place), id, reason)
}
