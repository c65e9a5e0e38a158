// Past grants: what Bellhop itself remembers of who gave somebody access to a container. It is a hint, read from the
// sends of the last 30 days. It never refuses a grant, and a memory that cannot be read never hinders one.
//
// Reader                                  sees
// whoever grants, or asks for approval    what they granted or asked for themselves
// whoever decides on a request            what anybody of their workspace granted, on that container
import type { Log } from '../log/log.ts'
import type { PerWorkspace, SlackUser } from '../slack/ids.ts'
import type { People } from '../slack/workspace/people.ts'
import { type GivenAccess, pastGrantWords } from './render/past-grants.ts'
import type { Roles } from './roles.ts'
import type { Wish } from './wish.ts'

const dayMs = 24 * 60 * 60_000
const rememberedMs = 30 * dayMs

/** One send that was granted. */
export interface PastGrant {
  /** As it is asked for now. */
  readonly email: string
  /** Flag names of the contract. */
  readonly permissions: readonly string[]
  /** Milliseconds since 1970. */
  readonly at: number
  /** Whose token made it. */
  readonly senderId: string
  /** Another than the sender when it was approved. */
  readonly askerId: string
}

/** The store of past grants: sends as they are kept for whoever tells their outcome. */
export interface PastGrants {
  /**
   * The newest grant of each of these people on this container, in whatever case their address was written then, in
   * the order of `emails`. Nobody's who has none within this time.
   * @param asked.of - Only what this person sent or asked for. Default: anybody of the workspace.
   */
  newest(
    asked: Pick<Wish, 'containerId' | 'emails'> & {
      readonly workspaceId: string
      readonly of?: string | undefined
    },
    withinMs: number,
  ): Promise<readonly PastGrant[]>
}

/** What remembering needs of the rest of the house. */
export interface MemoryRoom {
  readonly pastGrants: PastGrants
  readonly people: PerWorkspace<Pick<People, 'nameOf'>>
  readonly roles: Roles
  readonly log: Pick<Log, 'failedJob'>
}

/**
 * Says what this person granted or asked for themselves of what they want now, for them alone.
 * @param emails - Of whom. Default: everybody of the wish.
 * @returns Markup; undefined where there is nothing, or it cannot be read.
 */
export function rememberOwn(
  room: MemoryRoom,
  reader: SlackUser,
  wish: Wish,
  emails: readonly string[] = wish.emails,
): Promise<string | undefined> {
  return remember(room, reader, { ...wish, emails }, reader.userId)
}

/** Says what anybody here granted of what a request asks for, for somebody who may decide on it, alone. Markup. */
export function rememberToDecide(
  room: MemoryRoom,
  decider: SlackUser,
  wish: Wish,
): Promise<string | undefined> {
  return remember(room, decider, wish, undefined)
}

async function remember(
  { pastGrants, people, roles, log }: MemoryRoom,
  { workspaceId, userId }: SlackUser,
  wish: Wish,
  of: string | undefined,
): Promise<string | undefined> {
  try {
    const { containerId, emails } = wish
    const found = await pastGrants.newest({ workspaceId, containerId, emails, of }, rememberedMs)
    if (found.length === 0) return undefined
    const [only = userId, ...more] = new Set(found.map(({ senderId }) => senderId))
    // Of several, none is named.
    const isNamed = of === undefined && only !== userId && more.length === 0
    const name = isNamed ? await people.in(workspaceId).nameOf(only) : undefined
    const given = found.map(
      ({ senderId, ...past }): GivenAccess => ({
        ...past,
        by:
          senderId === userId ? { is: 'reader' } : of === undefined ? { is: 'other', name } : { is: 'asked' },
      }),
    )
    return pastGrantWords(wish, given, roles)
  } catch (error) {
    log.failedJob('warn', { err: error }, 'past grants could not be read; going on without them')
    return undefined
  }
}
