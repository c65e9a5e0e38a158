// Verdicts on what somebody wanted done to an alert, for them alone. A text that was not taken comes back. Pure.
import type { KnownBlock } from '@slack/types'
import { isClosed } from '../../alert/render/state.ts'
import type { Alert } from '../../monitor/schema.ts'
import type { Doubt, NotDoneCode, SendOutcome } from '../../send/outcome.ts'
import { doubtWords, signOf } from '../../send/words.ts'
import type { AlertWrite } from '../../send/writes.ts'
import { type Message, textBack } from '../../slack/outbound/message.ts'
import { cut, escapeText, literal } from '../../slack/text/mrkdwn.ts'
import { quote } from '../../slack/text/typed.ts'
import {
  type AssignFacts,
  assignedWords,
  heldBackWords,
  identityWords,
  notAMemberWords,
  toWhom,
  type VerdictWords,
} from './assign-words.ts'
import { flagFor, waysOn } from './ways-on.ts'

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
  /** It takes the place of a doubt that was told, or repeats it after the last look. */
  readonly wasDoubted: boolean
  /** What their token lacks can be asked for in the thread of the card. */
  readonly canAsk: boolean
  /** Of an assignment. */
  readonly assigned?: AssignFacts | undefined
}

export const actWaits = { toDo: 'To change this alert', undone: 'Nothing was sent' } as const

export const actUndone = {
  nothing: 'Nothing was sent.',
  halfWay:
    'If it was already sent, you’ll get the result by direct message. Wait for that before you try again.',
} as const

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
      if (on === 'unsaid') return { headline: `Closed: ${which}. Monitoring doesn’t say by whom.`, more }
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
  const { wasDoubted, isLate, alert } = found
  const name = nameOf(write, found.assigned)
  if (doubt === 'not-readable') {
    const who = write.kind === 'assign' ? identityWords(write.ownerId, found.assigned) : []
    return {
      headline: `Sent: ${name}.`,
      more: ['I can’t confirm it, because your token lacks READ.', ...who],
    }
  }
  if (doubt === 'not-seen') {
    return wasDoubted
      ? {
          headline: `Still not visible: ${name}.`,
          more: ['Monitoring accepted it. Check there before you send it again.'],
        }
      : {
          headline: `Sent, not visible yet: ${name}.`,
          more: ['Monitoring accepted it. I’ll look again for two minutes and tell you.'],
        }
  }
  // Whoever could not read it before it was sent cannot afterwards.
  const canLook = isLate || alert !== undefined
  const why = `The request went out, but ${doubtWords[doubt].sentence}.`
  return {
    headline: `${wasDoubted ? 'Still not certain' : 'Not certain'}: ${name}.`,
    more: [
      wasDoubted
        ? 'I couldn’t see it in monitoring. Check there before you try again; Bellhop won’t resend it.'
        : canLook
          ? `${why} I’ll look again for two minutes and tell you. Bellhop won’t resend it.`
          : `${why} I can’t look, because your token lacks READ. Check monitoring before you try again; Bellhop won’t resend it.`,
    ],
  }
}
