// Slack's side of granting: forms, and buttons that need some reading. Parses, asks, answers; decides nothing.
import type { House } from '../house.ts'
import { fingerprintOf } from '../send/writes.ts'
import type { ActionRequest, Submission } from '../slack/guard/requests.ts'
import { inTime } from '../work/under-way.ts'
import { writesOf } from './access.ts'
import { knownTo, openForm, readState } from './form/form.ts'
import { readForm } from './form/modal.ts'
import { askOrSend, sendKept } from './granting.ts'
import { parseGrant } from './line/line.ts'

/** A form is answered after so long in any case, in milliseconds. */
const longestKeepMs = 1_000

/** *Grant access* where the bot was written to: the form begins with the line. */
export async function openOfferedForm(house: House, pressed: ActionRequest): Promise<void> {
  const ask = parseGrant(pressed.value, house.config, await knownTo(house, pressed.asker))
  return openForm(house, pressed, ask.kind === 'form' ? ask.prefill : undefined)
}

export async function submitForm(house: House, submission: Submission): Promise<void> {
  const { asker, filled, privateMetadata } = submission
  const { id: formId, place, about } = readState(privateMetadata, asker)
  const ask = readForm(filled, house.config)
  if (ask.kind === 'problems')
    return submission.ack({ response_action: 'errors', errors: { ...ask.problems } })
  const { access } = ask
  const from = { ...submission.moveTo(place), showsLine: true }
  // The same form, sent with something else in it, is another intent.
  const id = `${formId}-${fingerprintOf(writesOf(access)).slice(0, 8)}`
  let answered: Promise<void> | undefined
  const answer = () => {
    answered ??= submission.ack()
    return answered
  }
  const sending = askOrSend(house, from, { id, access, reason: about }, { onKept: answer })
  // The form closes once the grant is kept: what fails before that is said in it.
  await inTime(sending, longestKeepMs)
  await answer().finally(() => sending)
}

/** *Grant access* below the question. */
export function sendConfirmed(house: House, pressed: ActionRequest): Promise<void> {
  return sendKept(house, { ...pressed, replaces: true }, pressed.value)
}
