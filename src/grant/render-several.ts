// The receipt for several people: a line for each, and below what there is to explain, once. Pure.
import type { ActionsBlockElement, KnownBlock } from '@slack/types'
import { fullest, type Message } from '../slack/outbound/message.ts'
import { cut, escapeText, literal, mrkdwn, plain } from '../slack/text/mrkdwn.ts'
import {
  buttonsBlock,
  correctedIntro,
  lateBlocks,
  lateIntro,
  lineBlocks,
  requestedBy,
  shareButton,
} from './render.ts'
import { askApprovalButton } from './render-ask.ts'
import { explanations, type Reading } from './render-explained.ts'
import { access, linesBlock } from './render-wish.ts'
import {
  hasCode,
  type NotGrantedCode,
  type PersonOutcome,
  restOf,
  type Told,
  type Wish,
  waitingOf,
} from './wishes.ts'

/** Action id of *Try the rest again*, for the listeners. */
export const restAction = 'grant.rest'

/** Behind an address, in few words. */
const brief: Readonly<Record<NotGrantedCode, string>> = {
  'bad-request': 'already on the container, or not accepted as given',
  refused: 'token not accepted',
  forbidden: 'no right to add people here',
  'not-found': 'no such container',
  busy: 'the service asked to slow down',
  unreachable: 'the service could not be reached',
}

/** @param waiting - Who waits for a token. */
function lineOf({ email, outcome }: Told, waiting: readonly string[]): string {
  if (waiting.includes(email)) return `⏳ ${email}: waits for your account`
  switch (outcome.kind) {
    case 'granted':
      return `✅ ${email}`
    case 'not-granted':
      return `✋ ${email}: ${brief[outcome.code]}`
    case 'uncertain':
      return `⚠️ ${email}: not certain, check in monitoring`
    case 'not-sent':
      return `➖ ${email}: not sent`
    default:
      return outcome satisfies never
  }
}

function ofKind(people: readonly Told[], kind: PersonOutcome['kind']): readonly Told[] {
  return people.filter(({ outcome }) => outcome.kind === kind)
}

function headingOf(people: readonly Told[]): string {
  return `${ofKind(people, 'granted').length} of ${people.length} granted`
}

const longestText = 3900

/** Complete by itself: notifications and screen readers know nothing else. Raw. */
function words(wish: Wish, people: readonly Told[], reading: Reading): string {
  const named = (
    [
      ['Granted', 'granted'],
      ['Not granted', 'not-granted'],
      ['Not certain', 'uncertain'],
      ['Not sent', 'not-sent'],
    ] as const
  ).flatMap(([heading, kind]) => {
    const those = ofKind(people, kind)
    return those.length === 0 ? [] : [`${heading}: ${those.map(({ email }) => email).join(', ')}.`]
  })
  const head = `${headingOf(people)} on container ${wish.containerId} with ${access(wish)}.`
  const why = explanations(wish, people, reading).map((text) => text.replaceAll('\n', ' '))
  return [head, ...named, ...why].join(' ')
}

function resultBlocks(wish: Wish, people: readonly Told[], reading: Reading): KnownBlock[] {
  const waiting = reading.waits ? waitingOf(people) : []
  const lines = people.map((told) => lineOf(told, waiting))
  return [
    linesBlock(headingOf(people), wish, lines),
    ...explanations(wish, people, reading).map((text) => ({
      type: 'section' as const,
      text: mrkdwn(escapeText(text)),
    })),
  ]
}

function restButton(id: string): ActionsBlockElement {
  return { type: 'button', action_id: restAction, text: plain('Try the rest again'), value: id }
}

/** What can be done about those who are left. */
function offers(id: string, people: readonly Told[], offersRest: boolean): readonly ActionsBlockElement[] {
  if (hasCode(people, 'forbidden')) return [askApprovalButton(id)]
  return offersRest && restOf(people).length > 0 ? [restButton(id)] : []
}

export interface SeveralNotes {
  readonly canShare: boolean
  /** False once *Try the rest again* was pressed. */
  readonly offersRest: boolean
  /** The command line that would have done the same. */
  readonly line?: string | undefined
  readonly note?: string | undefined
  /** Whoever was not sent for want of a token goes on by itself once there is one. */
  readonly waits?: boolean
}

/** The result, for the asker alone. */
export function renderSeveral(
  id: string,
  wish: Wish,
  people: readonly Told[],
  { canShare, offersRest, line, note, waits = false }: SeveralNotes,
): Message {
  const reading: Reading = { reader: { is: 'asker' }, waits }
  const context = (said: string): KnownBlock => ({ type: 'context', elements: [literal(said)] })
  const withLine = (lines: readonly KnownBlock[]) => [
    ...resultBlocks(wish, people, reading),
    ...(note === undefined ? [] : [context(note)]),
    ...(line === undefined ? [] : lines),
    ...buttonsBlock([...offers(id, people, offersRest), ...(canShare ? [shareButton(id)] : [])]),
  ]
  return {
    text: escapeText(cut(words(wish, people, reading), longestText)),
    blocks: fullest([
      () => withLine(lineBlocks('The same from the command line:', line ?? '')),
      () => withLine([context('The same from the command line is too long to show here.')]),
    ]),
  }
}

/** The result for everybody in the channel. @param askerName - Raw. */
export function renderSharedSeveral(
  askerName: string,
  wish: Wish,
  people: readonly Told[],
  about?: { readonly name: string },
): Message {
  const reading: Reading = { reader: { is: 'channel', askerName }, waits: false }
  return {
    text: escapeText(cut(words(wish, people, reading), longestText)),
    blocks: [...resultBlocks(wish, people, reading), requestedBy(askerName, about)],
  }
}

/** Told when the result could not be told at once, after a restart for instance. */
export function renderLateSeveral(
  id: string,
  wish: Wish,
  people: readonly Told[],
  about?: { readonly name: string },
): Message {
  const reading: Reading = { reader: { is: 'asker' }, waits: false }
  const wasDoubted = people.some((one) => one.wasDoubted)
  return {
    text: escapeText(
      cut(`${wasDoubted ? correctedIntro : lateIntro} ${words(wish, people, reading)}`, longestText),
    ),
    blocks: [
      ...lateBlocks({ about, wasDoubted }),
      ...resultBlocks(wish, people, reading),
      ...buttonsBlock(offers(id, people, true)),
    ],
  }
}
