// Recent requests of one person, as the store knows them: look-ups, grants, and what the service’s answers show of their
// token’s rights. Data only.
import type { Refusal } from '../account/room.ts'
import type { AlertLink } from '../alert/link.ts'
import type { SendOutcome } from '../send/outcome.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { Posted } from '../slack/outbound/message.ts'

/** What became of one person. */
export type GrantEnd = SendOutcome['kind'] | 'under-way'

export interface LookedUp {
  /** Milliseconds since 1970, here and below. */
  readonly at: number
  readonly ks: string
  /** The alert's message as it was then, shortened; raw. */
  readonly title: string
  /** Where its card stands; undefined when Slack did not say. */
  readonly posted: Posted | undefined
  /** The alert's web link, as its card has it. */
  readonly alertLink?: AlertLink | undefined
}

export interface GrantedLately {
  /** When it was asked. */
  readonly at: number
  readonly containerId: number
  /** Flag names of the contract; may be empty. */
  readonly permissions: readonly string[]
  /** At least one, in the order in which they were typed. */
  readonly people: readonly { readonly email: string; readonly end: GrantEnd }[]
}

/** Something that the service allowed or refused, which tells what a token may do. */
export type Evidence =
  | { readonly kind: 'read'; readonly at: number }
  /** 403. @property ks - Of the alert; undefined when the token was tried without one. */
  | { readonly kind: 'not-read'; readonly at: number; readonly ks: string | undefined }
  | { readonly kind: 'granted' | 'not-granted'; readonly at: number; readonly containerId: number }
  /** 401: the token itself. */
  | { readonly kind: 'refused'; readonly at: number }

export interface Recent {
  /** The last look-ups, newest first. */
  lookUpsOf(owner: SlackUser, most: number): Promise<readonly LookedUp[]>
  /** The last grants that were sent, newest first. One to several people is one. */
  grantsOf(owner: SlackUser, most: number): Promise<readonly GrantedLately[]>
  /** Containers of the last grants that were sent, newest first, each once; those that there are not are left out. */
  containersOf(owner: SlackUser, most: number): Promise<readonly number[]>
  /** Keys of the last look-ups, newest first; those that were asked for twice are there twice. */
  keysOf(owner: SlackUser, most: number): Promise<readonly string[]>
  /** What was seen since then, newest first. Of look-ups that worked the last alone. */
  evidenceOf(owner: SlackUser, since: number): Promise<readonly Evidence[]>
  /** Keeps the last refusal of its kind. */
  refused(owner: SlackUser, refusal: Refusal): Promise<void>
  forgetWorkspace(workspaceId: string): Promise<void>
  /** Forgets refusals from before this time. */
  prune(before: number): Promise<void>
}

export interface Right {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly isAllowed: boolean
  readonly of:
    | { readonly kind: 'read' }
    /** @property ks - Undefined when the token was tried without an alert. */
    | { readonly kind: 'read-alert'; readonly ks: string | undefined }
    | { readonly kind: 'grant'; readonly containerId: number }
}

export interface Rights {
  /** When the service said that it does not know the token, and nothing has worked with it since. */
  readonly refusedAt: number | undefined
  /** Newest first; of each container the newest alone. */
  readonly seen: readonly Right[]
}

/** @param evidence - Newest first. */
export function rightsIn(evidence: readonly Evidence[]): Rights {
  const [newest] = evidence
  const containers = new Set<number>()
  const seen = evidence.flatMap((one): Right[] => {
    const { at } = one
    switch (one.kind) {
      case 'read':
        return [{ at, isAllowed: true, of: { kind: 'read' } }]
      case 'not-read':
        return [{ at, isAllowed: false, of: { kind: 'read-alert', ks: one.ks } }]
      case 'granted':
      case 'not-granted': {
        const { containerId } = one
        if (containers.has(containerId)) return []
        containers.add(containerId)
        return [{ at, isAllowed: one.kind === 'granted', of: { kind: 'grant', containerId } }]
      }
      case 'refused':
        return []
      default:
        return one satisfies never
    }
  })
  return { refusedAt: newest?.kind === 'refused' ? newest.at : undefined, seen }
}
