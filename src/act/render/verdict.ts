// Verdicts on what somebody wanted done to an alert, for them alone: in words, and with buttons for what they may do next.
// A text that was not taken comes back. Pure.
import type { Button, KnownBlock } from '@slack/types'
import { isClosed } from '../../alert/render/state.ts'
import type { Alert } from '../../monitor/schema.ts'
import type { Doubt, NotDoneCode, SendOutcome } from '../../send/outcome.ts'
import { doubtWords, signOf } from '../../send/words.ts'
import type { AlertWrite } from '../../send/writes.ts'
import { type Message, textBack } from '../../slack/outbound/message.ts'
import { cut, escapeText, literal, plain } from '../../slack/text/mrkdwn.ts'
import { quote } from '../../slack/text/typed.ts'
import { lengthOf, longestComment } from '../text-rules.ts'
import {
  type AssignFacts,
  assignedWords,
  heldBackWords,
  notAMemberWords,
  toWhom,
  type VerdictWords,
} from './assign-words.ts'

/** What is known besides the outcome. */
export interface Found {
  /** Of the wish. */
  readonly id: string
  /** The alert as its sender’s token showed it last. */
  readonly alert: Alert | undefined
  /** Why it was refused, in the service’s own words. */
  readonly reason: string | undefined
  /** It was asked for a while ago. */
  readonly isLate: boolean
  /** What their token lacks can be asked for in the thread of the card. */
  readonly canAsk: boolean
  /** Of an assignment. */
  readonly assigned?: AssignFacts | undefined
}

/** Sentence first; below it what follows for the reader, and their own text where it was not taken. */
export function renderActVerdict(write: AlertWrite, outcome: SendOutcome, found: Found): Message {
  const { headline, more } = wordsOf(write, outcome, found)
  const sentence = `${signFor(outcome)} ${headline}`
  const told = [
    ...(found.isLate ? [late] : []),
    sentence,
    ...more,
    ...(found.reason === undefined ? [] : [`Monitoring says: “${cut(found.reason, 200)}”`]),
  ]
  const returned = isTaken(outcome) ? [] : textBack(write.message)
  return {
    text: escapeText(cut(told.join(' '), 2_900)),
    blocks: [
      ...told.map((one): KnownBlock => ({ type: 'section', text: literal(cut(one, 2_900)) })),
      ...returned,
      ...waysOn(write, outcome, found),
    ],
  }
}

const late = 'Here’s the result of something you asked for earlier.'

/** Their own text stands in monitoring. */
function isTaken(outcome: SendOutcome): boolean {
  return outcome.kind === 'done' && outcome.on !== 'already' && outcome.on !== 'by-another'
}

function signFor(outcome: SendOutcome): string {
  return isTaken(outcome) || outcome.kind !== 'done' ? signOf(outcome) : 'ℹ️'
}

function wordsOf(write: AlertWrite, outcome: SendOutcome, found: Found): VerdictWords {
  switch (outcome.kind) {
    case 'done':
      return doneWords(write, outcome.on, found)
    case 'not-done':
      return notDoneWords(write, outcome.code, found)
    case 'uncertain':
      return doubtfulWords(write, outcome.doubt, found)
    case 'not-sent':
      return {
        headline: `Not sent: ${nameOf(write, found.assigned)}.`,
        more: ['Bellhop was stopped before it sent anything. Try again.'],
      }
    default:
      return outcome satisfies never
  }
}

type DoneOn = Extract<SendOutcome, { kind: 'done' }>['on']

function doneWords(write: AlertWrite, on: DoneOn, { alert, assigned }: Found): VerdictWords {
  const which = `alert ${quote(write.ks)}`
  switch (write.kind) {
    case 'comment':
      return { headline: `Commented on ${which}: “${cut(write.message, 300)}”`, more: [] }
    case 'assign':
      return assignedWords(write, on, assigned)
    case 'close': {
      if (on === 'already') return { headline: `Nothing was sent: ${which} is already closed.`, more: [] }
      if (on === 'by-another')
        return { headline: `Alert ${quote(write.ks)} was closed meanwhile, but not by you.`, more: [] }
      const more = alert !== undefined && !isClosed(alert) ? [openAgain] : []
      return { headline: `Closed: ${which}.`, more }
    }
    default:
      return write satisfies never
  }
}

const openAgain = 'The trouble is still there, so monitoring has opened it again.'

/** Nouns for sentences: “your comment on alert “disk-full””. */
function nameOf(write: AlertWrite, assigned: AssignFacts | undefined): string {
  const which = `alert ${quote(write.ks)}`
  switch (write.kind) {
    case 'comment':
      return `your comment on ${which}`
    case 'assign':
      return `assigning ${which}${toWhom(assigned)}`
    case 'close':
      return `closing ${which}`
    default:
      return write satisfies never
  }
}

function notDoneWords(write: AlertWrite, code: NotDoneCode, found: Found): VerdictWords {
  const headline = (why: string) => `Not done: ${why}.`
  switch (code) {
    case 'bad-request':
      return badRequestWords(write)
    case 'refused':
      return { headline: headline('monitoring no longer accepts your token'), more: ['Nothing was sent.'] }
    case 'forbidden': {
      // A token that could read the alert has API.
      const lacks = found.alert === undefined ? `API or ${flagFor[write.kind]}` : flagFor[write.kind]
      const more = ['Nothing was changed. Somebody with CONTAINER_ACCESS there can add what’s missing.']
      return { headline: headline(`your token lacks ${lacks} on this alert’s container`), more }
    }
    case 'not-found':
      return write.kind === 'assign'
        ? notAMemberWords(write, found.alert !== undefined, found.assigned)
        : {
            headline: headline(`there’s no alert ${quote(write.ks)}`),
            more: ['Check the key, capitals included.'],
          }
    case 'busy':
      return {
        headline: headline('monitoring is busy or has a fault'),
        more: ['Nothing was changed. Try again in a minute.'],
      }
    case 'unreachable':
      return {
        headline: headline('Bellhop couldn’t reach monitoring'),
        more: ['Nothing was sent. Try again in a minute.'],
      }
    case 'malformed':
      return {
        headline: headline('monitoring answered in a way Bellhop doesn’t understand'),
        more: ['Nothing was sent. Tell whoever runs Bellhop.'],
      }
    case 'changed':
      return changedWords(write, found)
    case 'no-operation':
      return {
        headline: headline('this monitoring service doesn’t let Bellhop do that'),
        more: ['Nothing was changed. Do it in monitoring itself.'],
      }
    default:
      return code satisfies never
  }
}

function badRequestWords(write: AlertWrite): VerdictWords {
  const isSolution = write.kind === 'close' && write.isSolution
  return {
    headline: 'Not done: monitoring says no (400).',
    more: [
      isSolution
        ? 'The text is probably shorter than this container asks for. Say more, or don’t call it the solution.'
        : 'Nothing was changed.',
    ],
  }
}

function changedWords(write: AlertWrite, { alert, assigned }: Found): VerdictWords {
  // Nothing else keeps a comment back.
  if (write.kind === 'comment') {
    return { headline: `Nothing was sent: alert ${quote(write.ks)} is closed.`, more: [] }
  }
  return heldBackWords(write.ks, alert, assigned)
}

function doubtfulWords(write: AlertWrite, doubt: Doubt, found: Found): VerdictWords {
  const { isLate, alert } = found
  const name = nameOf(write, found.assigned)
  if (doubt === 'not-readable') {
    return { headline: `Sent: ${name}.`, more: ['I can’t confirm it, because your token lacks READ.'] }
  }
  if (doubt === 'not-seen') {
    return {
      headline: `Sent, not visible yet: ${name}.`,
      more: ['Monitoring accepted it. Check there before you send it again.'],
    }
  }
  // Whoever could not read it before it was sent cannot afterwards.
  const canLook = isLate || alert !== undefined
  const cannotLook = canLook ? '' : ' I can’t look, because your token lacks READ.'
  return {
    headline: `Not certain: ${name}.`,
    more: [
      `The request went out, but ${doubtWords[doubt].sentence}.${cannotLook} Check monitoring before you try again; Bellhop won’t resend it.`,
    ],
  }
}

/** Action ids of the buttons, for the listeners. */
export const editActAction = 'act.edit'
export const commentInsteadAction = 'act.comment-instead'
export const closeAnywayAction = 'act.close-anyway'
export const askInThreadAction = 'act.ask-in-thread'
export const takeOverAction = 'act.take-over'
export const grantMemberAction = 'act.grant-member'

/** The flag, beside API, that the service wants. Source: its documentation of each. */
export const flagFor = { comment: 'ALERT_CHANGE', close: 'ALERT_CHANGE', assign: 'ALERT_ASSIGN' } as const

/** What the ways on depend on, besides what was wanted and what became of it. */
interface Situation {
  /** Of the wish. */
  readonly id: string
  /** As its sender’s token showed it last. */
  readonly alert: Alert | undefined
  /** What their token lacks can be asked for in the thread of the card. */
  readonly canAsk: boolean
  /** Of an assignment. */
  readonly assigned?: AssignFacts | undefined
}

/** Buttons that carry the wish’s id, and what was read of the alert: the text is looked up. */
function waysOn(write: AlertWrite, outcome: SendOutcome, situation: Situation): readonly KnownBlock[] {
  const elements = buttonsFor(write, outcome, situation)
  return elements.length === 0 ? [] : [{ type: 'actions', elements }]
}

function buttonsFor(write: AlertWrite, outcome: SendOutcome, situation: Situation): Button[] {
  const { id, alert, canAsk, assigned } = situation
  if (outcome.kind === 'not-done') {
    switch (outcome.code) {
      case 'bad-request':
        return canBeEdited(write) ? [button(editActAction, 'Edit and try again', id)] : []
      case 'forbidden':
        return canAsk ? [button(askInThreadAction, 'Ask in thread', `${id}${alert ? '' : ' unread'}`)] : []
      case 'not-found':
        return write.kind === 'assign' && alert !== undefined
          ? [button(grantMemberAction, 'Grant access', id)]
          : []
      case 'changed':
        if (write.kind === 'assign') return alert === undefined ? [] : takeOver(id, alert, assigned)
        if (write.kind === 'close' && alert !== undefined && !isClosed(alert)) {
          return [button(closeAnywayAction, 'Close anyway', `${id} ${alert.ownerId ?? '-'}`)]
        }
        return write.kind === 'comment' ? commentInstead(write, id) : []
      default:
        return []
    }
  }
  const isTooLate = outcome.kind === 'done' && (outcome.on === 'already' || outcome.on === 'by-another')
  return isTooLate && write.kind === 'close' ? commentInstead(write, id) : []
}

/** They were told whose it is, so that nobody loses it unawares. */
function takeOver(id: string, alert: Alert, assigned: AssignFacts | undefined): Button[] {
  if (isClosed(alert) || assigned?.isOwn) return []
  const label = assigned?.isForSelf && alert.ownerId !== null ? 'Take it over' : 'Assign anyway'
  return [button(takeOverAction, label, `${id} ${alert.ownerId ?? '-'}`)]
}

function canBeEdited({ kind, message }: AlertWrite): boolean {
  return kind !== 'assign' && message !== ''
}

/** Whether the service takes comments on closed alerts, only it can say. */
function commentInstead({ message }: AlertWrite, id: string): Button[] {
  if (message === '' || lengthOf(message) > longestComment) return []
  return [button(commentInsteadAction, 'Comment with this text', id)]
}

function button(actionId: string, label: string, value: string): Button {
  return { type: 'button', action_id: actionId, text: plain(label), value }
}

/** Ids of what was typed hold dots, and those of what was said spaces. */
const withOwner = /^(.{1,255}) (-|\d{1,15})$/

/** Of *Close anyway* and *Take it over*: the wish, and the owner that its sender was told of. Undefined for what no button carries. */
export function readAnyway(
  value: string,
): { readonly id: string; readonly ownerId: number | null } | undefined {
  const [, id, owner] = withOwner.exec(value) ?? []
  if (id === undefined || owner === undefined) return undefined
  return { id, ownerId: owner === '-' ? null : Number(owner) }
}

/** Of *Ask in thread*: the wish, and whether its sender’s token may lack API as well. */
export function readAskInThread(value: string): { readonly id: string; readonly mayLackApi: boolean } {
  const [id = '', word] = value.split(' ')
  return { id, mayLackApi: word === 'unread' }
}

/** To whoever presses *Ask in thread*. Raw. */
export const askWords = {
  asked: 'Asked in the alert’s thread.',
  askedBefore: 'You already asked in that alert’s thread.',
  noThread: 'That card has no thread where Bellhop could ask. Ask a colleague directly.',
  othersRead:
    'People of another organisation may read in that channel, so Bellhop doesn’t ask there. Ask a colleague directly.',
} as const

/** To whoever uses what is forgotten by now: a button of an old verdict, or a form of an old card. Raw. */
export const tooOldWords = {
  verdict: 'This is too old, so nothing was sent. Use the alert’s card, or type it again.',
  wish: 'This is too old, so nothing was sent. Type it again.',
  card: 'This card is too old. Nothing was sent. Use /alert again.',
} as const
