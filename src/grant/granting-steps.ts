// The steps in which access is granted, for one person and for several alike.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { WaitedFor } from '../account/connect-first.ts'
import type { From } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { NewGrant } from './grants.ts'
import type { Wish } from './wishes.ts'

/** How an outcome is told. */
export interface Telling {
  /** With the line that does the same. */
  readonly showsLine: boolean
  /** In place of the confirmation whose button was pressed. */
  readonly replaces: boolean
}

/** A wish before it is sent. */
export interface Kept extends Pick<NewGrant, 'id' | 'asker' | 'channelId' | 'about'> {
  readonly wish: Wish
}

export interface GrantingSteps {
  /** Keeps a wish; false when another one is kept under its id. */
  keep(kept: Kept): Promise<boolean>
  /** What is kept under this id, when it is the asker's own and waits to be sent. */
  unsent(asker: SlackUser, id: string): Promise<Kept | undefined>
  /** Sends a wish that is kept, and tells the outcome. @param askedAfter - Older ones are gone. */
  send(from: From, id: string, how: Telling, askedAfter: number): Promise<void>
  /** False when there is nothing to give up. */
  cancel(asker: SlackUser, id: string): Promise<boolean>
  /** What is true of a wish that does not wait any more. */
  tellWhatBecame(from: From, id: string): Promise<void>
  share(from: From, id: string): Promise<void>
}

const gone = 'This confirmation is not open any more, and nothing was sent by it. Use /grant again.'
const handedOver = 'You asked for approval of this; the request shows how it stands.'
export const underWay = 'It was sent already. What became of it is told in a moment.'
export const joinedNote = 'You asked for the same a moment ago; it was sent once.'

/** Why nothing is sent of a wish that does not wait any more. */
export function goneWords(kept: { readonly isHandedOver: boolean } | undefined): string {
  return kept?.isHandedOver ? handedOver : gone
}

/**
 * Sends a wish and tells the outcome. When that fails, an outcome that is kept is left to those who tell late.
 * @param leaveUntold - Says so to the store. Should that fail too, they find it when its sender has had its time.
 * @throws what `work` has thrown.
 */
export async function orLeaveUntold(
  work: () => Promise<void>,
  leaveUntold: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    await leaveUntold().catch(() => undefined)
    throw error
  }
}

/** What waits for an account. */
export const waitingGrant = z.object({
  grantId: z.string(),
  showsLine: z.boolean(),
  replaces: z.boolean(),
})

export function wanted(grantId: string, how: Telling): WaitedFor {
  const ask: z.infer<typeof waitingGrant> = { grantId, ...how }
  return { feature: 'grant', asked: 'grant', ask }
}

// An id says whether it is for several people, and whether they were asked for once before: a button needs no more.
export const severalPrefix = 'several:'
const again = ':rest'

/** The id for a wish like this one, from an id of any kind. */
export function idFor({ emails }: Wish, id: string): string {
  const bare = id.startsWith(severalPrefix) ? id.slice(severalPrefix.length) : id
  return emails.length === 1 ? bare : `${severalPrefix}${bare}`
}

/** An id that nothing is kept under yet. */
export function newId(wish: Wish): string {
  return idFor(wish, randomUUID())
}

export function isForSeveral(id: string): boolean {
  return id.startsWith(severalPrefix)
}

/** The id under which those are asked for again who were left. */
export function restId(id: string): string {
  return `${id}${again}`
}

/** Asked again on purpose: what was settled a moment ago does not stand for it. */
export function isRest(id: string): boolean {
  return id.endsWith(again)
}
