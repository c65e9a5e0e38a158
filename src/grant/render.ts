// What the bot says about a grant. Pure.
import type { ActionsBlockElement, KnownBlock } from '@slack/types'
import type { Message } from '../slack/message.ts'
import { sayMarked } from '../slack/message.ts'
import { cut, escapeText, mrkdwn, plain } from '../slack/mrkdwn.ts'
import { type Flag, flags, type Presets, sensitiveFlags } from './flags.ts'
import type { Doubt, GrantOutcome, GrantRequest } from './grants.ts'

/** Action ids of the buttons, for the listeners. */
export const grantAction = 'grant.confirm'
export const cancelAction = 'grant.cancel'
export const shareAction = 'grant.share'

const notGranted: Readonly<Record<Extract<GrantOutcome, { kind: 'not-granted' }>['code'], string>> = {
  'bad-request':
    'The service refused it (400), which can mean two things: they are on the container already, or it was not accepted as given: no such user, or an address that exists more than once and needs *Sign-in provider*.',
  refused: 'Your token is no longer accepted by the monitoring service. Connect your account again.',
  forbidden:
    'Your token lacks API and CONTAINER_ACCESS on that container, and both are needed to add people. Ask somebody who has them.',
  'not-found': 'There is no such container.',
  busy: 'The service asked to slow down (429) and did nothing. Try again in a minute.',
  unreachable: 'The service could not be reached, so nothing was sent. Try again in a minute.',
}

const doubts: Readonly<Record<Doubt, string>> = {
  'server-error': 'the service reported a fault of its own',
  'odd-answer': 'the service answered in a way Bellhop does not understand',
  'connection-lost': 'the connection was lost before the service answered',
  'timed-out': 'the service did not answer in time',
  stopped: 'Bellhop was stopped before it could keep the answer',
}

function flagWords(permissions: readonly Flag[]): string {
  return permissions.length === 0 ? 'no flags' : permissions.join(', ')
}

/** “dave@example.com, container 12: READ, API; member; via Google”, escaped mrkdwn. */
function wish({ email, containerId, permissions, member, authProvider }: GrantRequest): string {
  const parts = [
    flagWords(permissions),
    ...(member ? ['member'] : []),
    ...(authProvider === undefined ? [] : [`via ${authProvider}`]),
  ]
  return `*${escapeText(email)}* · container *${containerId}*\n${escapeText(parts.join(' · '))}`
}

const headings = {
  granted: '✅ Granted',
  'not-granted': '✋ Not granted',
  uncertain: '⚠️ Not certain',
} as const

function explanation(outcome: GrantOutcome, request: GrantRequest): string | undefined {
  switch (outcome.kind) {
    case 'granted':
      return undefined
    case 'not-granted':
      return notGranted[outcome.code]
    case 'uncertain':
      return `It was sent, but ${doubts[outcome.doubt]}. It may have been done. Check in monitoring whether ${escapeText(request.email)} is on container ${request.containerId} before you ask again; Bellhop does not send it a second time by itself.`
    default:
      return outcome satisfies never
  }
}

function outcomeBlocks(request: GrantRequest, outcome: GrantOutcome): KnownBlock[] {
  const why = explanation(outcome, request)
  return [
    { type: 'section', text: mrkdwn(`*${headings[outcome.kind]}*\n${wish(request)}`) },
    ...(why === undefined ? [] : [{ type: 'section' as const, text: mrkdwn(why) }]),
  ]
}

function sentence(request: GrantRequest, outcome: GrantOutcome): string {
  const { email, containerId, permissions } = request
  const who = `${email} on container ${containerId} with ${flagWords(permissions)}`
  const heads = { granted: 'Granted', 'not-granted': 'Not granted', uncertain: 'Not certain whether granted' }
  return escapeText(`${heads[outcome.kind]}: ${who}.`)
}

/** The receipt, for the asker alone. */
export function renderReceipt(
  grantId: string,
  request: GrantRequest,
  outcome: GrantOutcome,
  how: { readonly canShare: boolean; readonly line?: string | undefined; readonly note?: string | undefined },
): Message {
  const { canShare, line, note } = how
  const share: ActionsBlockElement = {
    type: 'button',
    action_id: shareAction,
    text: plain('Share in channel'),
    value: grantId,
  }
  return {
    text: sentence(request, outcome),
    blocks: [
      ...outcomeBlocks(request, outcome),
      ...(note === undefined ? [] : [{ type: 'context' as const, elements: [mrkdwn(escapeText(note))] }]),
      ...(line === undefined ? [] : lineBlocks(line)),
      ...(canShare ? [{ type: 'actions' as const, elements: [share] }] : []),
    ],
  }
}

/** Rich text, so that the line is copied exactly as it stands. */
function lineBlocks(line: string): KnownBlock[] {
  return [
    { type: 'context', elements: [mrkdwn('The same from the command line:')] },
    {
      type: 'rich_text',
      elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: line }] }],
    },
  ]
}

/** The receipt for everybody in the channel. @param askerName - Raw. */
export function renderShared(askerName: string, request: GrantRequest, outcome: GrantOutcome): Message {
  return {
    text: sentence(request, outcome),
    blocks: [
      ...outcomeBlocks(request, outcome),
      { type: 'context', elements: [mrkdwn(`asked by ${escapeText(cut(askerName, 80))}`)] },
    ],
  }
}

/** Told when the outcome could not be told at once, after a restart for instance. */
export function renderLate(request: GrantRequest, outcome: GrantOutcome): Message {
  const intro = 'This is about a grant you asked for earlier; its outcome could not be told at once.'
  return {
    text: sentence(request, outcome),
    blocks: [{ type: 'context', elements: [mrkdwn(intro)] }, ...outcomeBlocks(request, outcome)],
  }
}

/** Why a grant asks before it is sent: one line each, escaped mrkdwn. */
export function confirmReasons(
  request: GrantRequest,
  person: { readonly name: string; readonly isGuest: boolean } | undefined,
): readonly string[] {
  const sensitive = request.permissions.filter((flag) => sensitiveFlags.has(flag))
  return [
    ...(person === undefined
      ? []
      : [
          `The address is from ${escapeText(cut(person.name, 80))}'s profile in Slack${person.isGuest ? ', who is a *guest* here' : ''}.`,
        ]),
    ...(sensitive.length === 0 ? [] : [`These flags give much: *${sensitive.join(', ')}*.`]),
    ...(request.permissions.length === 0
      ? ['No flag is chosen: they will be on the container and see nothing.']
      : []),
  ]
}

/** The blocks of a confirmation, in a message and in the modal alike. */
export function confirmBlocks(request: GrantRequest, reasons: readonly string[]): KnownBlock[] {
  return [
    { type: 'section', text: mrkdwn(`*Grant this access?*\n${wish(request)}`) },
    { type: 'section', text: mrkdwn(reasons.join('\n')) },
  ]
}

/** Asks before a grant is sent. */
export function renderConfirm(grantId: string, request: GrantRequest, reasons: readonly string[]): Message {
  const { email, containerId, permissions } = request
  return {
    text: escapeText(`Grant ${email} access to container ${containerId} with ${flagWords(permissions)}?`),
    blocks: [
      ...confirmBlocks(request, reasons),
      {
        type: 'actions',
        elements: [
          {
            type: 'button',
            action_id: grantAction,
            text: plain('Grant access'),
            style: 'primary',
            value: grantId,
          },
          { type: 'button', action_id: cancelAction, text: plain('Cancel'), value: grantId },
        ],
      },
    ],
  }
}

/** @param problems - One sentence each, raw. */
export function renderProblems(problems: readonly string[]): Message {
  const lines = problems.map(escapeText)
  const text = problems.length === 1 ? lines.join('') : lines.map((line) => `• ${line}`).join('\n')
  return sayMarked(`${cutLines(text)}\nNothing was sent.`)
}

function cutLines(text: string): string {
  return text.length <= 2900 ? text : `${text.slice(0, text.lastIndexOf('\n', 2900))}\n• …`
}

export function renderHelp(): Message {
  const lines = [
    '`/grant <container> <email or @person> <flags or presets>` gives somebody access, e.g. `/grant 12 dave@example.com viewer`.',
    'Add `member` so that alerts can be assigned to them; `via Google` when the address exists more than once.',
    '`/grant` opens a form with every flag explained; so does a line without flags, filled in.',
    '`/grant presets` lists the presets. The person must be a user of the monitoring service already.',
  ].map((line) => line.replaceAll('<', '&lt;').replaceAll('>', '&gt;'))
  return sayMarked(lines.join('\n'))
}

export function renderPresets(presets: Presets): Message {
  const lines = Object.entries(presets).map(
    ([name, granted]) => `*${escapeText(name)}* ${flags.filter((flag) => granted.includes(flag)).join(', ')}`,
  )
  return sayMarked(cutLines(lines.join('\n')) || 'There are no presets here.')
}
