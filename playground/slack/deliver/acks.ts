// Answers of the bot to a delivery, and what they do in Slack: messages, changed modals, or a complaint to the person.
import { optionsErrors } from '../check/options.ts'
import { Refused } from '../check/refused.ts'
import { viewErrors } from '../check/view.ts'
import { isRecord, type Json, record, records, text } from '../model/json.ts'
import type { Channel, Delivery, Member, View } from '../model/model.ts'
import { postResponse } from '../wire/response-url.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { ackBody } from './deliver.ts'

/** Slack's own voice, for "failed with the error". */
export const SLACKBOT = 'USLACKBOT'

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
function tell(words: string, { id }: Member, channel: Channel, workspace: Workspace): void {
  const by = { channelId: channel.id, authorId: SLACKBOT, ephemeralFor: id, via: 'slack' }
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
  const { views } = workspace
  const trouble = (...said: string[]) => {
    views.complain(view, new Map(), NO_CONNECTION)
    return said
  }
  const failed = failureOf(delivery)
  if (failed) return trouble(failed)
  const body = ackBody(delivery)
  if (delivery.body.trim() === '' || (isRecord(body) && Object.keys(body).length === 0)) {
    views.close(view)
    return []
  }
  if (!isRecord(body)) return trouble('invalid_response')
  switch (body.response_action) {
    case 'errors':
      return takeErrors(body.errors, view, workspace, trouble)
    case 'update': {
      const content = record(body.view)
      const errors = viewErrors(content, 'modal')
      if (errors.length > 0) return trouble('invalid_arguments', ...errors)
      views.update(view, content)
      return []
    }
    default:
      return trouble(`invalid response_action: ${String(body.response_action)}`)
  }
}

/** What Slack can't show of the answer to what somebody types. The menu says no more than that there is nothing. */
export function suggestionProblems(delivery: Delivery): string[] {
  const failed = failureOf(delivery)
  return failed === undefined ? optionsErrors(ackBody(delivery)) : [failed]
}

/** Errors must stand at inputs that exist, and say something. */
function takeErrors(
  given: unknown,
  view: View,
  workspace: Workspace,
  trouble: (...said: string[]) => string[],
): string[] {
  const errors = isRecord(given) ? Object.entries(given) : []
  if (errors.length === 0) return trouble('invalid_errors: no errors given')
  const inputs = new Set(
    records(view.content.blocks).flatMap((block) => (block.type === 'input' ? [text(block.block_id)] : [])),
  )
  const wrong = errors.flatMap(([blockId, said]) => {
    if (!inputs.has(blockId)) return [`invalid_errors: no input block ${blockId}`]
    return typeof said === 'string' && said !== '' ? [] : [`invalid_errors: ${blockId} says nothing`]
  })
  if (wrong.length > 0) return trouble(...wrong)
  workspace.views.complain(view, new Map(errors.map(([blockId, said]) => [blockId, String(said)])))
  return []
}

function failureOf({ outcome }: Delivery): string | undefined {
  if (outcome === 'acked') return undefined
  return outcome === 'timeout' ? 'operation_timeout' : 'dispatch_failed'
}
