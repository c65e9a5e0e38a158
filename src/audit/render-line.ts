// What the audit channel reads: one line an entry. Pure.
import type { RichTextText } from '@slack/types'
import type { Message } from '../slack/message.ts'
import { cut, escapeText } from '../slack/mrkdwn.ts'
import type { Entry, Outcome } from './entry.ts'

/** Names in Slack, raw, of the people an entry tells of. */
export interface Names {
  readonly who: string
  readonly asker: string
  readonly approver: string
}

type Piece = RichTextText

const text = (words: string): Piece => ({ type: 'text', text: words })
const person = (name: string): Piece => ({ type: 'text', text: cut(name, 80), style: { bold: true } })

/** Nobody reads a line for every entry: accounts and look-ups are in the trail alone. */
export function hasLine({ act }: Entry): boolean {
  return act !== 'connect' && act !== 'disconnect'
}

/** Rich text, in which nothing becomes a mention, whatever people are called. */
export function renderLine(entry: Entry, names: Names): Message {
  const pieces = [...pieceOf(entry, names), text('.')]
  return {
    text: escapeText(pieces.map((piece) => piece.text).join('')),
    blocks: [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: pieces }] }],
  }
}

function pieceOf(entry: Entry, names: Names): Piece[] {
  const who = person(names.who)
  const request = [text(' the request of '), person(names.asker), text(`: ${wish(entry)}`)]
  const isDone = entry.outcome === 'done'
  switch (entry.act) {
    case 'grant':
      return grantPieces(entry, names)
    case 'ask':
      return [who, text(` asks for approval${isDone ? '' : words(entry.outcome)}: ${wish(entry)}`)]
    case 'approve':
      if (isDone) return [who, text(' approved'), ...request]
      return [text(`Not approved${words(entry.outcome)}: `), who, text(' pressed Approve on'), ...request]
    case 'decline':
      if (isDone) return [who, text(' declined'), ...request]
      return [text(`Not declined${words(entry.outcome)}: `), who, text(' pressed Decline on'), ...request]
    case 'withdraw':
      return [who, text(` withdrew their request${isDone ? '' : words(entry.outcome)}: ${wish(entry)}`)]
    case 'expire':
      return [text('The request of '), person(names.asker), text(` has expired: ${wish(entry)}`)]
    case 'connect':
    case 'disconnect':
      throw new TypeError('accounts have no line')
    default:
      return entry.act satisfies never
  }
}

function grantPieces(entry: Entry, names: Names): Piece[] {
  const { email, containerId, outcome, approverId } = entry
  const who = person(names.who)
  const what = `${email} to container ${containerId}: ${access(entry)}`
  const approved = approverId === undefined ? [] : [text(', approved by '), person(names.approver)]
  if (outcome === 'done') return [who, text(` added ${what}`), ...approved]
  if (outcome.startsWith('uncertain')) {
    return [text(`Not certain${words(outcome)}: `), who, text(` may have added ${what}`), ...approved]
  }
  return [text(`Not granted${words(outcome)}: `), who, text(` wanted to add ${what}`), ...approved]
}

function wish(entry: Entry): string {
  return `${entry.email} on container ${entry.containerId}, ${access(entry)}`
}

function access({ permissions = [], member, authProvider }: Entry): string {
  return [
    permissions.length === 0 ? 'no flags' : permissions.join(', '),
    ...(member === true ? ['member'] : []),
    ...(authProvider === undefined ? [] : [`via ${authProvider}`]),
  ].join(' · ')
}

const reasons: Readonly<Record<string, string>> = {
  'bad-request': 'the service refused it, 400',
  refused: 'the token is no longer accepted, 401',
  forbidden: 'the token lacks the right, 403',
  'not-found': 'no such container, 404',
  busy: 'the service asked to slow down, 429',
  unreachable: 'the service could not be reached',
  'server-error': 'the service reported a fault',
  'odd-answer': 'the service answered oddly',
  'connection-lost': 'the connection was lost',
  'timed-out': 'no answer in time',
  stopped: 'Bellhop was stopped',
}

/** “ (the service refused it, 400)”. A reason that is not known here stands as it was recorded. */
function words(outcome: Outcome): string {
  const reason = outcome.slice(outcome.indexOf(':') + 1)
  return ` (${reasons[reason] ?? reason.replaceAll('-', ' ')})`
}
