// Answers of the bot to a delivery, and what they do in Slack: messages, changed modals, or a complaint to the person.
import { optionsErrors } from '../check/options.ts'
import { Refused } from '../check/refused.ts'
import { viewErrors } from '../check/view.ts'
import { isRecord, type Json, record, records } from '../model/json.ts'
import type { Channel, Delivery, Member, View } from '../model/model.ts'
import { postResponse } from '../wire/response-url.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { ackBody } from './deliver.ts'

/** Slack's own voice, for "failed with the error". */
const SLACKBOT = 'USLACKBOT'

/** Shown in a modal when the bot did not answer as it must. */
const NO_CONNECTION = 'We had some trouble connecting. Try again?'

/** Answers of a command: nothing, text, or a message. Returns Slack's complaints. */
export function takeCommandAck(
  delivery: Delivery,
  command: string,
  member: Member,
  channel: Channel,
  workspace: Workspace,
): string[] {
  const complain = (error: string, problems: string[]) => {
    tell(`${command} failed with the error "${error}"`, member, channel, workspace)
    return problems
  }
  const failed = failureOf(delivery)
  if (failed) return complain(failed, [failed])
  if (delivery.body.trim() === '') return []
  const parsed = ackBody(delivery)
  const body: Json = isRecord(parsed) ? parsed : { text: delivery.body }
  try {
    postResponse({ channelId: channel.id, userId: member.id }, body, 'ack', workspace)
    return []
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return complain('invalid_command_response', [error.message, ...error.errors])
  }
}

/** In Slack's own voice, to one person. */
export function tell(
  words: string,
  to: Member,
  at: Channel,
  workspace: Workspace,
  threadTs?: string,
): void {
  const by = { channelId: at.id, authorId: SLACKBOT, ephemeralFor: to.id, threadTs, via: 'slack' }
  workspace.post({ ...by, text: words })
}

/** Actions and shortcuts take no answer; a missing one is shown beside the control. */
export function takeBareAck(
  delivery: Delivery,
  member: Member,
  at: Channel | View | undefined,
  workspace: Workspace,
): string[] {
  const failed = failureOf(delivery)
  if (!failed) return []
  if (at && 'typed' in at) workspace.views.complain(at, new Map(), NO_CONNECTION)
  else if (at) tell(`This app responded with the error "${failed}"`, member, at, workspace)
  return [failed]
}

/** Answers of a submission: close, or `response_action`. Returns Slack's complaints. */
export function takeSubmissionAck(delivery: Delivery, view: View, workspace: Workspace): string[] {
  try {
    takeSubmission(delivery, view, workspace)
    return []
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    workspace.views.complain(view, new Map(), NO_CONNECTION)
    return [error.message, ...error.errors]
  }
}

function takeSubmission(delivery: Delivery, view: View, { views }: Workspace): void {
  const failed = failureOf(delivery)
  if (failed) throw new Refused(failed)
  const body = delivery.body.trim() === '' ? {} : ackBody(delivery)
  if (!isRecord(body)) throw new Refused('invalid_response')
  const { response_action: action, view: content } = body
  if (Object.keys(body).length === 0) views.close(view)
  else if (action === 'errors') views.complain(view, errorsIn(body, view))
  else if (action === 'update') {
    const errors = viewErrors(record(content), 'modal')
    if (errors.length > 0) throw new Refused('invalid_arguments', errors)
    views.update(view, record(content))
  } else throw new Refused(`invalid response_action: ${String(action)}`)
}

/** Errors must stand at inputs that exist, and say something. */
function errorsIn(body: Json, view: View): ReadonlyMap<string, string> {
  const errors = Object.entries(record(body.errors))
  if (errors.length === 0) throw new Refused('invalid_errors: no errors given')
  const inputs = records(view.content.blocks).filter(({ type }) => type === 'input')
  for (const [blockId, said] of errors) {
    if (!inputs.some((input) => input.block_id === blockId))
      throw new Refused(`invalid_errors: no input block ${blockId}`)
    if (typeof said !== 'string' || said === '')
      throw new Refused(`invalid_errors: ${blockId} says nothing`)
  }
  return new Map(errors.map(([blockId, said]) => [blockId, String(said)]))
}

/** What Slack can't show of the answer to what somebody types. The menu says no more than that there is nothing. */
export function suggestionProblems(delivery: Delivery): string[] {
  const failed = failureOf(delivery)
  return failed === undefined ? optionsErrors(ackBody(delivery)) : [failed]
}

function failureOf({ outcome }: Delivery): string | undefined {
  if (outcome === 'acked') return undefined
  return outcome === 'timeout' ? 'operation_timeout' : 'dispatch_failed'
}
