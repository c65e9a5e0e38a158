// Words for what became of a write, in one table for each kind: receipts, requests for approval, the audit channel and
// Home read it. Pure; raw text.
import {
  type Doubt,
  isRefusedFor,
  type NotDoneCode,
  type PossibleLaterCode,
  passingCodes,
  type SendOutcome,
} from './outcome.ts'
import type { AddUser } from './writes.ts'

/** Before an outcome, by its kind alone. Where its reason is known: `signOf`. */
export const signs: Readonly<Record<SendOutcome['kind'], string>> = {
  done: '✅',
  'not-done': '⛔',
  uncertain: '❓',
  'not-sent': '➖',
}

/** What waits or passes by itself: busy, unreachable, not connected yet. */
export const waitingSign = '⏳'

/** A request that a colleague declined. */
export const declinedSign = '🚫'

/** Before an outcome: what passes by itself has a sign of its own. */
export function signOf(outcome: SendOutcome): string {
  return isRefusedFor(outcome, passingCodes) ? waitingSign : signs[outcome.kind]
}

/** Words about one kind of write. `Target` is what each of them changes, as sentences name it. */
interface WriteWords<Target> {
  /** At the head of what is told. */
  readonly headings: Readonly<Record<SendOutcome['kind'], string>>
  /** Behind a sign, where there is room for a word or two. */
  readonly shortWords: Readonly<Record<SendOutcome['kind'], string>>
  /** Behind the heading of a receipt for one person, without a stop. */
  granted(who: string, target: Target, role: string | undefined): string
  uncertain(who: string, target: Target): string
  /** By the reason why a write was certainly not made. */
  readonly refusals: Readonly<
    Record<NotDoneCode, RefusalWords<Target>> & Record<PossibleLaterCode, ApproverWords<Target>>
  >
}

interface RefusalWords<Target> {
  /** Behind an address in a receipt. */
  readonly line: string
  /** Behind an address on the card of a request; undefined for what is the approver's alone to know. */
  readonly card: string | undefined
  /** In the audit channel: behind “the token” where it is about the token, else by itself. */
  readonly audit: string
  /** Why nobody was granted, behind “Not granted:”, without a stop. @param whose - “your”, or a name with ’s. */
  because(whose: string, target: Target): string
  /** A sentence about what to do, below that; empty where the receipt has more to say. */
  readonly toDo: string
}

/** Of what does not end a request for approval. */
interface ApproverWords<Target> {
  /** To the approver, behind “Nothing was granted:”. */
  approver(target: Target): string
  /** The same, behind “The request stays open”. */
  readonly staysOpen: string
}

/** A 401, about whoever’s token it was. @param whose - “your”, or a name with ’s. */
function tokenRefused(whose: string): string {
  return `monitoring no longer accepts ${whose} token`
}

/** A 403 of adding somebody, likewise. */
function mayNotAdd(whose: string, where: string): string {
  return `${whose} token lacks API or CONTAINER_ACCESS on ${where}`
}

/** A 400 whose reason is told beside it, or was told to whoever may know it. */
export const saysNo = 'monitoring says no (400)'

/** The container is “container 12”, or “Customer 1 (12)” for readers who may know its name. */
const addUserWords: WriteWords<string> = {
  headings: {
    done: 'Granted',
    'not-done': 'Not granted',
    uncertain: 'Not certain',
    'not-sent': 'Not sent',
  },
  shortWords: {
    done: 'granted',
    'not-done': 'not granted',
    uncertain: 'not certain',
    'not-sent': 'not sent',
  },
  granted: (who, where, role) =>
    role === undefined ? `${who} is now on ${where}` : `${who} is now ${role} on ${where}`,
  uncertain: (who, where) => `${who} may or may not be on ${where}`,
  refusals: {
    'bad-request': {
      line: 'already on the container, or address not accepted',
      card: 'already on the container, or address not accepted (400)',
      audit: 'monitoring refused it, 400',
      because: () => `${saysNo} and doesn’t say why`,
      toDo: '',
    },
    refused: {
      line: 'token not accepted',
      card: undefined,
      audit: 'is no longer accepted, 401',
      because: tokenRefused,
      toDo: '',
      approver: () => tokenRefused('your'),
      staysOpen: '; connect your account again with /alert connect, then approve it',
    },
    forbidden: {
      line: 'not allowed to add people here',
      card: undefined,
      audit: 'lacks API or CONTAINER_ACCESS, 403',
      because: mayNotAdd,
      toDo: 'Somebody who has both can grant it.',
      approver: (where) => mayNotAdd('your', where),
      staysOpen: ' for a colleague who has both',
    },
    'not-found': {
      line: 'no such container',
      card: 'no such container (404)',
      audit: 'no such container, 404',
      because: (_, where) => `there’s no ${where}`,
      toDo: 'Check the number in monitoring.',
    },
    busy: {
      line: 'monitoring is busy',
      card: 'monitoring is busy (429)',
      audit: 'monitoring is busy, 429',
      because: () => 'monitoring is busy (429)',
      toDo: 'Nothing was changed. Try again in a minute.',
      approver: () => 'monitoring is busy (429)',
      staysOpen: '; approve it again in a minute',
    },
    unreachable: {
      line: 'couldn’t reach monitoring',
      card: 'couldn’t reach monitoring',
      audit: 'couldn’t reach monitoring',
      because: () => 'Bellhop couldn’t reach monitoring',
      toDo: 'Nothing was sent. Try again in a minute.',
      approver: () => 'Bellhop couldn’t reach monitoring',
      staysOpen: '; approve it again in a minute',
    },
    malformed: {
      line: 'monitoring sent an unexpected answer',
      card: 'monitoring sent an unexpected answer',
      audit: 'monitoring sent an unexpected answer',
      because: () => 'monitoring answered in a way Bellhop doesn’t understand',
      toDo: 'Nothing was sent. Try again in a minute.',
    },
    changed: {
      line: 'changed meanwhile',
      card: 'changed meanwhile',
      audit: 'it had changed meanwhile',
      because: () => 'something had changed meanwhile',
      toDo: 'Nothing was sent. Look at it again.',
    },
    'no-operation': {
      line: 'not possible with this monitoring service',
      card: 'not possible with this monitoring service (405)',
      audit: 'the monitoring service can’t do that, 405',
      because: () => 'this monitoring service can’t do that',
      toDo: 'Add them in monitoring instead.',
    },
  },
}

/** Words by the kind of write. Those about alerts have their own, where they are acted on. */
export const writeWords = { 'add-user': addUserWords } as const

interface DoubtWords {
  /** Behind “The request went out, but”. */
  readonly sentence: string
  readonly card: string
  readonly audit: string
}

/** Words by the reason why it is not certain. */
export const doubtWords: Readonly<Record<Doubt, DoubtWords>> = {
  'server-error': {
    sentence: 'monitoring returned an error',
    card: 'monitoring returned an error',
    audit: 'monitoring returned an error',
  },
  'odd-answer': {
    sentence: 'monitoring answered in a way Bellhop doesn’t understand',
    card: 'monitoring sent an unexpected answer',
    audit: 'monitoring sent an unexpected answer',
  },
  'connection-lost': {
    sentence: 'the connection broke before monitoring answered',
    card: 'the connection broke',
    audit: 'the connection broke',
  },
  'timed-out': {
    sentence: 'monitoring didn’t answer in time',
    card: 'no answer in time',
    audit: 'no answer in time',
  },
  stopped: {
    sentence: 'Bellhop was stopped before it could store the answer',
    card: 'Bellhop was stopped',
    audit: 'Bellhop was stopped',
  },
  'not-seen': {
    sentence: 'monitoring doesn’t show it yet',
    card: 'not visible yet',
    audit: 'monitoring doesn’t show it yet',
  },
  'not-readable': {
    sentence: 'the token lacks READ, so nobody can see what became of it',
    card: 'the token lacks READ',
    audit: 'the token lacks READ',
  },
}

/** A grant without any flag. */
export const dashboardsOnly = 'access to dashboards only'

/** “READ, API · member · via Google”. */
export function access({
  permissions = [],
  member,
  authProvider,
}: {
  readonly [What in 'permissions' | 'member' | 'authProvider']?: AddUser[What] | undefined
}): string {
  return [
    permissions.length === 0 ? dashboardsOnly : permissions.join(', '),
    ...(member === true ? ['member'] : []),
    ...(authProvider === undefined ? [] : [`via ${authProvider}`]),
  ].join(' · ')
}
