// Words for what became of a write, in one table: receipts, requests for approval, the audit channel and Home read it.
// Pure; raw text.
import type { Doubt, NotGrantedCode, PossibleLaterCode, SendOutcome } from './outcome.ts'
import type { AddUser } from './writes.ts'

/** Before a person, wherever outcomes stand in a list. */
export const signs: Readonly<Record<SendOutcome['kind'], string>> = {
  granted: '✅',
  'not-granted': '✋',
  uncertain: '⚠️',
  'not-sent': '➖',
}

/** At the head of what is told. */
export const headings = {
  granted: 'Granted',
  'not-granted': 'Not granted',
  uncertain: 'Not certain',
  'not-sent': 'Not sent',
} as const satisfies Readonly<Record<SendOutcome['kind'], string>>

/** Behind a sign, where there is room for a word or two. */
export const shortWords: Readonly<Record<SendOutcome['kind'], string>> = {
  granted: 'granted',
  'not-granted': 'not granted',
  uncertain: 'not certain',
  'not-sent': 'not sent',
}

interface RefusalWords {
  /** Behind an address in a receipt. */
  readonly line: string
  /** Behind an address on the card of a request; undefined for what is the approver's alone to know. */
  readonly card: string | undefined
  /** In the audit channel: behind “the token” where it is about the token, else by itself. */
  readonly audit: string
  /** In a receipt, why nobody was granted. @param whose - “Your”, or a name with ’s. */
  sentence(whose: string, containerId: number): string
}

/** Of what does not end a request for approval. */
interface ApproverWords {
  /** To the approver, behind “Nothing was granted:”. */
  approver(containerId: number): string
}

/** A 401, about whoever’s token it was. @param whose - “your”, or a name with ’s. */
export function tokenRefused(whose: string): string {
  return `${whose} token is no longer accepted by the monitoring service`
}

/** A 403, likewise. */
export function rightLacking(whose: string, containerId: number): string {
  return `${whose} token lacks API+CONTAINER_ACCESS on container ${containerId}`
}

/** Why a write was certainly not made. */
export const refusalWords: Readonly<
  Record<NotGrantedCode, RefusalWords> & Record<PossibleLaterCode, RefusalWords & ApproverWords>
> = {
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
  },
  forbidden: {
    line: 'no right to add people here',
    card: undefined,
    audit: 'lacks the right, 403',
    sentence: (whose, containerId) =>
      `${rightLacking(whose, containerId)}: it needs both flags. Somebody who has them can make this grant.`,
    approver: (containerId) => `${rightLacking('your', containerId)}, and it needs both flags`,
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
  },
  unreachable: {
    line: 'the service could not be reached',
    card: 'the service could not be reached',
    audit: 'the service could not be reached',
    sentence: () => 'The service could not be reached, so nothing was sent. Try again in a minute.',
    approver: () => 'the service could not be reached',
  },
}

interface DoubtWords {
  /** Behind “It was sent, but”. */
  readonly sentence: string
  readonly card: string
  readonly audit: string
}

/** Why it is not certain. */
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
