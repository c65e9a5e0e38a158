// One request as a step of what happened: who asked whom for what, how long it took, what came of it.
import type { RecordedRequest } from '../../monitor/requests.ts'
import type { Step } from '../../page/state/state.ts'
import { type Json, list, parseJson, record, records, text } from '../../slack/model/json.ts'
import type { Call, Delivery, StartedCall, StartedDelivery } from '../../slack/model/model.ts'
import type { Mask } from './mask.ts'

/** A step, but for its place in the happening. */
export type Shown = Omit<Step, 'id' | 'afterMs'>

const underWay = {
  tookMs: undefined,
  outcome: undefined,
  isRefused: false,
  refusals: [],
} as const

/** Slack → bot. */
export function stepOfDelivery(delivery: StartedDelivery | Delivery, mask: Mask): Shown {
  const sent = { label: 'Slack sent', json: mask.json(delivery.payload) }
  const step = { from: 'slack', to: 'bot', title: mask.text(titleOf(delivery)) } as const
  if (!('outcome' in delivery)) return { ...step, ...underWay, details: [sent] }
  const { outcome, problems, request, body, tookMs, status } = delivery
  const answer = parseJson(body) ?? body
  const headers = request && { label: 'Headers', json: mask.json(request.headers) }
  return {
    ...step,
    tookMs: Math.round(tookMs),
    outcome: outcome === 'acked' ? 'ack' : outcome,
    isRefused: outcome !== 'acked' || problems.length > 0,
    // A bot that did not answer was not refused.
    refusals: outcome === 'acked' ? problems.map(mask.text) : [],
    details: [
      sent,
      ...(headers ? [headers] : []),
      ...(status === undefined
        ? []
        : [{ label: `The bot answered ${status}`, json: mask.json(answer) }]),
    ],
  }
}

/** Bot → service. */
export function stepOfRequest(request: RecordedRequest, mask: Mask): Shown {
  const { method, path, query, body, headers, token, status, answer, tookMs } = request
  const asked = { method, path, query, onBehalfOf: token, headers, body }
  const step = { from: 'bot', to: 'service', title: mask.text(`${method} ${path}`) } as const
  const sent = { label: 'The bot asked', json: mask.json(asked) }
  if (tookMs === undefined) return { ...step, ...underWay, details: [sent] }
  const came = { label: `The service answered ${status}`, json: mask.json(answer) }
  return {
    ...step,
    ...underWay,
    tookMs: Math.round(tookMs),
    outcome: status === undefined ? 'no answer' : String(status),
    isRefused: status === undefined || status >= 400,
    details: status === undefined ? [sent] : [sent, came],
  }
}

/** Bot → Slack: a method of the Web API, or a response_url. */
export function stepOfCall(call: StartedCall | Call, mask: Mask): Shown {
  const args = structured(call.args)
  const sent = { label: 'The bot sent', json: mask.json(args) }
  const step = { from: 'bot', to: 'slack', title: mask.text(call.method) } as const
  if (!('answer' in call)) return { ...step, ...underWay, details: [sent] }
  const { status, answer, tookMs } = call
  const isCut = status === 0
  const isRefused = answer.ok !== true || isCut
  const words = isRefused ? wordsOf(answer) : []
  return {
    ...step,
    tookMs: Math.round(tookMs),
    outcome: isCut ? 'no answer' : isRefused ? (text(answer.error) ?? String(status)) : 'ok',
    isRefused,
    refusals: words.map(mask.text),
    details: isCut
      ? [sent]
      : [sent, { label: `Slack answered ${status}`, json: mask.json(answer) }],
  }
}

function titleOf({ kind, payload }: StartedDelivery): string {
  const [action] = records(payload.actions)
  const named = {
    slash_commands: text(payload.command),
    block_actions: text(action?.action_id),
    view_submission: text(record(payload.view).callback_id),
    shortcut: text(payload.callback_id),
    message_action: text(payload.callback_id),
    block_suggestion: text(payload.action_id),
    event: eventName(record(payload.event)),
  }[kind]
  return kind === 'slash_commands' ? (named ?? kind) : `${kind} ${named ?? ''}`.trim()
}

/** As manifests name it. */
function eventName({ type, channel_type: kind }: Json): string | undefined {
  const kinds: Readonly<Record<string, string>> = { im: 'im', channel: 'channels', group: 'groups' }
  return type === 'message' ? `message.${kinds[text(kind) ?? ''] ?? kind}` : text(type)
}

/** What comes as JSON text in a form, as JSON. */
function structured(args: Json): Json {
  const inForm = new Set(['blocks', 'view'])
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      inForm.has(name) && typeof value === 'string' ? (parseJson(value) ?? value) : value,
    ]),
  )
}

/** Slack's words on what is wrong: pointed ones where it gives them. */
function wordsOf({ errors, response_metadata: more }: Json): string[] {
  const said = [list(errors), list(record(more).messages)].find((words) => words.length > 0) ?? []
  return said.map((word) => (typeof word === 'string' ? word : JSON.stringify(word)))
}
