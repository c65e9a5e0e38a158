// Past grants: what Bellhop itself remembers of who gave somebody access to a container. It is a hint, read from the
// sends of the last 30 days. It never refuses a grant, and a memory that cannot be read never hinders one.
//
// Reader                                  sees
// whoever grants, or asks for approval    what they granted or asked for themselves
// whoever decides on a request            what anybody of their workspace granted, on that container
import type { Log } from '../log/log.ts'
import type { PerWorkspace, SlackUser } from '../slack/ids.ts'
import { cut, escapeText, since } from '../slack/text/mrkdwn.ts'
import { nameInLine, type People } from '../slack/workspace/people.ts'
import { flags } from './flags.ts'
import { mostNamed as mostFlags } from './render/wish.ts'
import { type Roles, roleOf, roleTitle } from './roles.ts'
import type { Wish } from './wish.ts'

const dayMs = 24 * 60 * 60_000
const rememberedMs = 30 * dayMs

/** One send that was granted, and by its sender as far as anybody can tell. */
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
 * @param how.emails - Of whom. Default: everybody of the wish.
 * @param how.container - As `pastGrantWords`.
 * @returns Markup; undefined where there is nothing, or it cannot be read.
 */
export function rememberOwn(
  room: MemoryRoom,
  reader: SlackUser,
  wish: Wish,
  how: { readonly emails?: readonly string[]; readonly container?: string | undefined } = {},
): Promise<string | undefined> {
  const { emails = wish.emails, container } = how
  return remember(room, reader, { ...wish, emails }, { of: reader.userId, container })
}

/**
 * Says what anybody here granted of what a request asks for, for somebody who may decide on it, alone. Markup.
 * @param container - As `pastGrantWords`.
 */
export function rememberToDecide(
  room: MemoryRoom,
  decider: SlackUser,
  wish: Wish,
  container: string | undefined,
): Promise<string | undefined> {
  return remember(room, decider, wish, { of: undefined, container })
}

async function remember(
  { pastGrants, people, roles, log }: MemoryRoom,
  { workspaceId, userId }: SlackUser,
  wish: Wish,
  { of, container }: { readonly of: string | undefined; readonly container: string | undefined },
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
    return pastGrantWords(wish, given, roles, container)
  } catch (error) {
    log.failedJob('warn', { err: error }, 'past grants could not be read; going on without them')
    return undefined
  }
}

/** Somebody's access, as it was given. */
export interface GivenAccess {
  readonly email: string
  readonly permissions: readonly string[]
  /** Milliseconds since 1970. */
  readonly at: number
  /** `asked`: a colleague gave it, as the reader had asked for it. `other`: a colleague, by their raw name if known. */
  readonly by:
    | { readonly is: 'reader' }
    | { readonly is: 'asked' }
    | { readonly is: 'other'; readonly name: string | undefined }
}

const mostNamed = 3
/** Each stands in full beside it. */
const longestEmail = 100
/** What was given within this time was given together. */
const togetherMs = 10 * 60_000

/**
 * Words for them: “You gave dave@example.com READ and API on container 12 (2 hours ago), …”.
 * @param given - At least one, each of another person.
 * @param container - As its reader may know it. Raw.
 * @returns Markup, as its dates are for each reader.
 */
export function pastGrantWords(
  wish: Wish,
  given: readonly GivenAccess[],
  roles: Roles,
  container = `container ${wish.containerId}`,
): string {
  const [first] = given
  if (first === undefined) return ''
  const who = listed(
    given.slice(0, mostNamed).map(({ email }) => cut(email, longestEmail)),
    given.length,
  )
  const isSame = given.every((one) => isSameSet(one.permissions, first.permissions))
  const what = isSame ? flagWords(first.permissions, roles) : 'access'
  const access = `${what} ${what === 'access' ? 'to' : 'on'} ${container}`
  const newest = Math.max(...given.map(({ at }) => at))
  const isTogether = given.every(({ at }) => newest - at <= togetherMs)
  const when = isTogether ? `(${since(Math.floor(newest / 1000))})` : 'in the last 30 days'
  return `${escapeText(said(given, who, access))} ${when}, ${soWords(wish, given)}`
}

/** Raw. */
function said(given: readonly GivenAccess[], who: string, access: string): string {
  if (given.every(({ by }) => by.is === 'reader')) return `You gave ${who} ${access}`
  if (given.every(({ by }) => by.is === 'asked')) return `${who} got ${access} at your request`
  const others = new Set(given.map(({ by }) => (by.is === 'other' ? nameInLine(by.name ?? '') : '')))
  const [only] = others
  return others.size === 1 && only !== undefined && only !== ''
    ? `${only} gave ${who} ${access}`
    : `${who} got ${access}`
}

/** They cannot be added twice, whatever flags they have. */
function soWords({ permissions }: Wish, given: readonly GivenAccess[]): string {
  const has = (one: GivenAccess) => permissions.every((flag) => one.permissions.includes(flag))
  return given.every(has)
    ? 'so they probably have it already.'
    : 'so they’re probably on it already. Change their flags in monitoring instead.'
}

/** The title of a role, or flags by name. Raw. */
function flagWords(permissions: readonly string[], roles: Roles): string {
  if (permissions.length === 0) return 'access'
  const known = flags.filter((flag) => permissions.includes(flag))
  const role = roleOf(known, roles)
  return role === undefined ? listed(permissions.slice(0, mostFlags), permissions.length) : roleTitle(role)
}

/** “a”, “a and b”, “a, b, c and 2 more”. @param count - Of all; only the first of them are given. */
function listed(shown: readonly string[], count: number): string {
  const parts = count > shown.length ? [...shown, `${count - shown.length} more`] : shown
  const last = parts.at(-1) ?? ''
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`
}

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((flag) => others.includes(flag))
}
