// Words for what became of a write, in one table for each kind: receipts, requests for approval, the audit channel and
// Home read it. Pure; raw text.
import {
  type Doubt,
  isRefusedFor,
  type NotGrantedCode,
  type PossibleLaterCode,
  passingCodes,
  type SendOutcome,
} from './outcome.ts'
import type { AddUser, Write } from './writes.ts'

/** Before an outcome, by its kind alone. Where its reason is known: `signOf`. */
export const signs: Readonly<Record<SendOutcome['kind'], string>> = {
  granted: '✅',
  'not-granted': '⛔',
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
  /** By the reason why a write was certainly not made. */
  readonly refusals: Readonly<
    Record<NotGrantedCode, RefusalWords<Target>> &
      Record<PossibleLaterCode, ApproverWords<Target>> &
      Record<'forbidden', RestWords<Target>>
  >
}

interface RefusalWords<Target> {
  /** Behind an address in a receipt. */
  readonly line: string
  /** Behind an address on the card of a request; undefined for what is the approver's alone to know. */
  readonly card: string | undefined
  /** In the audit channel: behind “the token” where it is about the token, else by itself. */
  readonly audit: string
  /** In a receipt, why nobody was granted. @param whose - “Your”, or a name with ’s. */
  sentence(whose: string, target: Target): string
}

/** Of what does not end a request for approval. */
interface ApproverWords<Target> {
  /** To the approver, behind “Nothing was granted:”. */
  approver(target: Target): string
  /** The same, behind “The request stays open”. */
  readonly staysOpen: string
}

/** Of what a colleague can mend. */
interface RestWords<Target> {
  /** To the approver, where it kept the rest from being granted. */
  approverOfRest(target: Target): string
}

/** A 401, about whoever’s token it was. @param whose - “your”, or a name with ’s. */
export function tokenRefused(whose: string): string {
  return `${whose} token is no longer accepted by the monitoring service`
}

/** A 403 of adding somebody, likewise. */
function mayNotAdd(whose: string, containerId: number): string {
  return `${whose} token lacks API+CONTAINER_ACCESS on container ${containerId}`
}

/** Sentences name the container by its number. */
const addUserWords: WriteWords<number> = {
  headings: {
    granted: 'Granted',
    'not-granted': 'Not granted',
    uncertain: 'Not certain',
    'not-sent': 'Not sent',
  },
  shortWords: {
    granted: 'granted',
    'not-granted': 'not granted',
    uncertain: 'not certain',
    'not-sent': 'not sent',
  },
  refusals: {
    'bad-request': {
      line: 'already on the container, or not accepted as given',
      card: 'already on the container, or not accepted as given (400)',
      audit: 'the service refused it, 400',
      sentence: () => 'The service refused it (400) and does not say why.',
    },
    refused: {
      line: 'token not accepted',
      card: undefined,
      audit: 'is no longer accepted, 401',
      sentence: (whose) => `${tokenRefused(whose)}.`,
      approver: () => tokenRefused('your'),
      staysOpen: '; connect your account again with /alert connect, then approve it',
    },
    forbidden: {
      line: 'no right to add people here',
      card: undefined,
      audit: 'lacks the right, 403',
      sentence: (whose, containerId) =>
        `${mayNotAdd(whose, containerId)}: it needs both flags. Somebody who has them can make this grant.`,
      approver: (containerId) => `${mayNotAdd('your', containerId)}, and it needs both flags`,
      staysOpen: ' for a colleague who has them',
      approverOfRest: (containerId) =>
        `${mayNotAdd('Your', containerId)}, so the rest was not granted. A colleague who has both flags can approve another request for it.`,
    },
    'not-found': {
      line: 'no such container',
      card: 'no such container (404)',
      audit: 'no such container, 404',
      sentence: (_, containerId) => `There is no container ${containerId}. Check the number in monitoring.`,
    },
    busy: {
      line: 'the service asked to slow down',
      card: 'the service asked to slow down (429)',
      audit: 'the service asked to slow down, 429',
      sentence: () => 'The service asked to slow down (429) and did nothing. Try again in a minute.',
      approver: () => 'the service asked to slow down (429) and did nothing',
      staysOpen: '; approve it again in a minute',
    },
    unreachable: {
      line: 'the service could not be reached',
      card: 'the service could not be reached',
      audit: 'the service could not be reached',
      sentence: () => 'The service could not be reached, so nothing was sent. Try again in a minute.',
      approver: () => 'the service could not be reached',
      staysOpen: '; approve it again in a minute',
    },
  },
}

/** Words by the kind of write: a kind that has none does not compile. */
export const writeWords = { 'add-user': addUserWords } as const satisfies Readonly<
  Record<Write['kind'], WriteWords<never>>
>

interface DoubtWords {
  /** Behind “It was sent, but”. */
  readonly sentence: string
  readonly card: string
  readonly audit: string
}

/** Words by the reason why it is not certain. */
export const doubtWords: Readonly<Record<Doubt, DoubtWords>> = {
  'server-error': {
    sentence: 'the service reported a fault of its own',
    card: 'the service reported a fault of its own',
    audit: 'the service reported a fault',
  },
  'odd-answer': {
    sentence: 'the service answered in a way Bellhop does not understand',
    card: 'the service answered oddly',
    audit: 'the service answered oddly',
  },
  'connection-lost': {
    sentence: 'the connection was lost before the service answered',
    card: 'the connection was lost',
    audit: 'the connection was lost',
  },
  'timed-out': {
    sentence: 'the service did not answer in time',
    card: 'no answer in time',
    audit: 'no answer in time',
  },
  stopped: {
    sentence: 'Bellhop was stopped before it could keep the answer',
    card: 'Bellhop was stopped meanwhile',
    audit: 'Bellhop was stopped',
  },
}

/** “READ, API · member · via Google”. */
export function access({
  permissions = [],
  member,
  authProvider,
}: {
  readonly [What in 'permissions' | 'member' | 'authProvider']?: AddUser[What] | undefined
}): string {
  return [
    permissions.length === 0 ? 'no flags' : permissions.join(', '),
    ...(member === true ? ['member'] : []),
    ...(authProvider === undefined ? [] : [`via ${authProvider}`]),
  ].join(' · ')
}
