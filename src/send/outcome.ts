// Writes to the service and their outcomes (done, not done, uncertain, never sent), with words for both. Pure; raw text.
import { createHash } from 'node:crypto'
import type { RequestOutcome } from '../log/log.ts'
import type { ModeTarget } from '../monitor/schema.ts'
import { type AccessKind, accessKinds } from './access-kinds.ts'
import type { Whom } from './whom.ts'

/** The reason why nobody can tell whether a write was made. */
export type Cause = keyof typeof causeWords

/**
 * Reasons why a write was certainly not made. `changed`: not sent, as things are no longer as its sender saw them.
 * `is-there`: not sent, as a list shows the person on the container already.
 * `malformed`: not sent, as the service describes its target oddly. `no-operation`: the service can’t do that.
 */
export const notDoneCodes = [
  'bad-request',
  'refused',
  'forbidden',
  'not-found',
  'busy',
  'unreachable',
  'malformed',
  'changed',
  'is-there',
  'no-operation',
] as const
export type NotDoneCode = (typeof notDoneCodes)[number]

/** Codes of reasons that pass by themselves: a write that is tried again soon may succeed. */
export const passingCodes: readonly NotDoneCode[] = ['busy', 'unreachable']

/**
 * Ground on which a write is called done; missing if the service’s own answer says so. `seen`: a read shows the result.
 * `unattributed`: a read shows the result, but not who brought it about. `already`: all was so before, nothing was sent.
 * `by-another`: a read shows that somebody else did the same.
 */
type Ground = 'seen' | 'unattributed' | 'already' | 'by-another'

/** Outcome of a write that was tried, whether or not a request went out for it. */
export type WriteOutcome =
  | { readonly kind: 'done'; readonly ground?: Ground }
  | { readonly kind: 'not-done'; readonly code: NotDoneCode }
  | { readonly kind: 'uncertain'; readonly cause: Cause }

/** Outcome of any write of a request. `not-sent`: the sending ended before this write was tried. */
export type SendOutcome = WriteOutcome | { readonly kind: 'not-sent' }

/** Outcome of a write begun by a process that died. */
export const stopped = { kind: 'uncertain', cause: 'stopped' } as const satisfies WriteOutcome

/** Name of an outcome in the audit trail and in figures. */
export function codeOf(outcome: SendOutcome) {
  switch (outcome.kind) {
    case 'done':
      return outcome.ground === 'already' || outcome.ground === 'by-another'
        ? (`not-done:${outcome.ground}` as const)
        : 'done'
    case 'not-done':
      return `not-done:${outcome.code}` as const
    case 'uncertain':
      return `uncertain:${outcome.cause}` as const
    case 'not-sent':
      return 'not-done:not-sent'
    default:
      return outcome satisfies never
  }
}

/** Codes that end a sending: they concern the token (401), a flag (403) or the target (404), not one person. */
export const endingCodes: readonly NotDoneCode[] = ['refused', 'forbidden', 'not-found']

/** True for a write certainly not made, for a reason that may be gone tomorrow or with somebody else’s token. */
export function isPossibleLater(outcome: SendOutcome): boolean {
  return (
    outcome.kind === 'not-sent' ||
    isRefusedFor(outcome, [...endingCodes, ...passingCodes, 'bad-request', 'changed'])
  )
}

export function isRefusedFor(
  outcome: SendOutcome | undefined,
  codes: readonly NotDoneCode[],
): boolean {
  return outcome?.kind === 'not-done' && codes.includes(outcome.code)
}

/** The outcome of a whole request, for figures and the log. */
export function requestOutcome(outcomes: readonly SendOutcome[]): RequestOutcome {
  if (outcomes.some(({ kind }) => kind === 'uncertain')) return 'uncertain'
  const done = outcomes.filter(({ kind }) => kind === 'done')
  if (done.length > 0) return done.length === outcomes.length ? 'ok' : 'partly'
  const refused = outcomes.find((one) => one.kind === 'not-done')
  // Nothing was sent for anybody, as Bellhop was stopped.
  return refused === undefined ? 'stopped' : `service-${refused.code}`
}

const signs = { done: '✅', 'not-done': '⛔', uncertain: '❓', 'not-sent': '➖' } as const

/** Sign before an outcome: an hourglass if its reason passes by itself. */
export function signOf(outcome: SendOutcome): string {
  return isRefusedFor(outcome, passingCodes) ? '⏳' : signs[outcome.kind]
}

/**
 * Words for a refusal: why, behind “Not granted:”, and what to do.
 * @param whose - Owner of the token: “your”, or a name with ’s.
 * @param where - “container 12”, or “Customer 1 (12)” for readers who may know the container’s name.
 */
type RefusalWords = (
  whose: string,
  where: string,
  kind: AccessKind,
) => readonly [why: string, toDo: string]

export const refusals: Readonly<Record<NotDoneCode, RefusalWords>> = {
  'bad-request': (whose, _, kind) => [
    'monitoring says no',
    `${accessKinds[kind].perhaps}${whose} token lacks one of these flags.`,
  ],
  refused: (whose) => [
    `monitoring no longer accepts ${whose} token`,
    whose === 'your' ? 'Connect again with /alert connect, then try again.' : '',
  ],
  // A sender can’t give a flag that they lack, and the service doesn’t say which flag they lacked.
  forbidden: (whose, where, kind) => {
    const flags = accessKinds[kind].gives
      ? 'API, CONTAINER_ACCESS or a flag that is given'
      : 'API or CONTAINER_ACCESS'
    return [`${whose} token lacks ${flags} on ${where}`, 'Somebody who has them can do it.']
  },
  'not-found': (_, where) => [`there’s no ${where}`, 'Check the number in monitoring.'],
  busy: () => ['monitoring is busy', 'Try again in a minute.'],
  unreachable: () => ['I couldn’t reach monitoring', 'Try again in a minute.'],
  malformed: () => ['monitoring answered in a way I don’t understand', 'Try again in a minute.'],
  changed: () => ['somebody has changed their access meanwhile', 'Nothing was changed.'],
  'is-there': (_, where) => [`they are on ${where} already`, 'Nothing was sent.'],
  'no-operation': () => ['this monitoring service can’t do that', 'Do it in monitoring instead.'],
}

/** Follows “The request went out, but”. */
export const causeWords = {
  'server-error': 'monitoring returned an error',
  'odd-answer': 'monitoring answered in a way I don’t understand',
  'connection-lost': 'the connection broke before monitoring answered',
  'timed-out': 'monitoring didn’t answer in time',
  stopped: 'I was stopped before I could store the answer',
  'not-seen': 'monitoring doesn’t show it yet',
  'not-listed': 'monitoring doesn’t list them',
  'not-readable': 'the token lacks READ, so nobody can see what became of it',
} as const

/** Write about one person’s access to a container, validated. */
export interface AccessWrite extends Whom {
  readonly kind: AccessKind
  readonly containerId: number
  readonly authProvider?: string | undefined
  /** Undefined in a change or a take-back that leaves membership as it is. */
  readonly member?: boolean | undefined
  /** Flags that the write gives. A change keeps all other flags that the person has, except those in `takes`. */
  readonly permissions: readonly string[]
  readonly takes?: readonly string[] | undefined
  /**
   * Flags that a change names and that the person has for a time: the end of the change replaces theirs; without one, they
   * stay for good.
   */
  readonly takesOver?: readonly string[] | undefined
  /** Flags that a change names and the person has for a time: they end when they did before. */
  readonly stillEnds?: readonly string[] | undefined
  /** Warnings that its sender was shown. Nothing is sent if another warning applies by the time of sending. */
  readonly warnings?: readonly Warning[] | undefined
  /** Id of the end (access that was given for a time) that a take-back or an extension is about. */
  readonly endId?: string | undefined
  /** Time that an extension adds, in milliseconds. */
  readonly moreMs?: number | undefined
  /** How long the access lasts, counted from the sending; or until when. Default: for good. */
  readonly ends?: Ends | undefined
  /**
   * True for a take-back if the grant had brought the person onto the container: they are removed if they have nothing else
   * there.
   */
  readonly isWhole?: boolean | undefined
  /**
   * True for a take-back if the person is gone once a list doesn’t show them: every list shows a member, and somebody whom
   * an earlier try removed isn’t there. Other people may be missing from a list, and still have access.
   */
  readonly absenceProves?: boolean | undefined
  /** True for a take-back that removes the person by their number, though no list shows them. */
  readonly isUnlisted?: boolean | undefined
}

/**
 * Warning about the person of a write. `own`: they are the asker, who loses access. `last-manager`: nobody else is listed
 * who may manage access. `gave-for-a-time`: they gave somebody access there for a time, which only their account can take
 * back. `said`: any other warning, in words; raw.
 */
export type Warning = 'own' | 'last-manager' | 'gave-for-a-time' | { readonly said: string }

/** A length of time, or a moment (`at`, since 1970), in milliseconds. */
export type Ends = { readonly forMs: number } | { readonly at: number }

/** Words behind an access: member, and how somebody signs in. */
export function extrasOf({ member, authProvider }: Pick<AccessWrite, 'member' | 'authProvider'>) {
  const extras = [member ? 'member' : undefined, authProvider && `via ${authProvider}`]
  return extras.filter((extra) => extra !== undefined)
}

/** An alert as the sender of a write saw it when they decided. */
export interface ShownAlert {
  /** The owner’s number at the service; null while unassigned. */
  readonly ownerId: number | null
  readonly isClosed: boolean
}

/** Change to an alert, validated. */
export type AlertWrite = {
  readonly ks: string
  /** Raw. A comment always has one; for other kinds it is empty if none was typed. */
  readonly message: string
  /** The alert as the sender saw it: nothing is sent if it has changed since. Undefined if they saw nothing of it. */
  readonly shown: ShownAlert | undefined
  /** Id of the sender at the service, if known: it tells their own changes from others’. */
  readonly senderId: number | undefined
  readonly cardId: string | undefined
} & (
  | { readonly kind: 'assign'; readonly ownerId: number }
  | { readonly kind: 'comment' }
  | { readonly kind: 'close'; readonly isSolution: boolean }
)

/** Change of the mode of a machine or a container, validated. */
export interface ModeWrite {
  readonly kind: 'set-mode'
  readonly target: ModeTarget
  readonly mode: 'maintenance' | 'normal'
  /** Until when maintenance is to last, as its sender was shown, in milliseconds since 1970. */
  readonly endsAt?: number | undefined
  /** Id of the card on which the change was asked for. */
  readonly cardId?: string | undefined
}

export type Write = AccessWrite | AlertWrite | ModeWrite

export function isAccess(write: Write): write is AccessWrite {
  return 'containerId' in write
}

/** @throws TypeError for a write about something else: the wrong feature asked. */
export function asAccess(write: Write): AccessWrite {
  if (!isAccess(write))
    throw new TypeError(`a write of the kind ${write.kind} is about nobody’s access`)
  return write
}

/** @throws TypeError for a write about no alert: the wrong feature asked. */
export function asAlertWrite(write: Write): AlertWrite {
  if (!('ks' in write)) throw new TypeError(`a write of the kind ${write.kind} is about no alert`)
  return write
}

/** @throws TypeError for a write about no mode: the wrong feature asked. */
export function asModeWrite(write: Write): ModeWrite {
  if (write.kind !== 'set-mode')
    throw new TypeError(`a write of the kind ${write.kind} is about no mode`)
  return write
}

/** A text that is equal for equal writes, whatever order the writes and their flags are in. */
export function fingerprintOf(writes: readonly Write[]): string {
  const each = writes.map((write) => JSON.stringify(sentOf(write))).toSorted()
  return createHash('sha256').update(each.join('\n')).digest('base64url')
}

/** The parts of a write that make it the same as another: all that changes what is sent, or how long it lasts. */
function sentOf(write: Write): readonly unknown[] {
  const { kind } = write
  if (isAccess(write)) {
    const { containerId, email, authProvider, member, permissions, takes, there, ends } = write
    const flags = [permissions.toSorted(), takes?.toSorted()]
    return [kind, containerId, email, there?.userId, authProvider, member, ...flags, ends]
  }
  switch (write.kind) {
    case 'set-mode':
      return [kind, write.target.container, write.target.asset, write.mode, write.endsAt]
    case 'assign':
      return [kind, write.ks, write.message, write.ownerId]
    case 'close':
      return [kind, write.ks, write.message, write.isSolution]
    default:
      return [kind, write.ks, write.message]
  }
}
