// People of a container, and invitations to it, as somebody’s token lists them; and what such a list proves of a write.
// A list may lack people who have access, so it can’t prove that somebody has none. It also doesn’t say who gave access.
// Source: the service's documentation of “Query users” and “Query invites” of a container.
import { MonitorError, orMonitorError, UserError } from '../errors.ts'
import type { House } from '../house.ts'
import type { ContainerPerson } from '../monitor/schema.ts'
import { containerInWords, personShown } from '../names/containers.ts'
import { learnName } from '../names/names.ts'
import { accessKinds } from '../send/access-kinds.ts'
import type { AccessWrite, NotDoneCode } from '../send/outcome.ts'
import type { SendResult } from '../send/send.ts'
import { isSamePerson, knownBy, type There } from '../send/whom.ts'
import type { Account, SlackUser } from '../slack/person.ts'
import { type Access, isLacking, type Listed, lacking, type Sought, type Terms } from './access.ts'
import { inOrder } from './roles.ts'

/** A list as somebody's token shows it, or why it shows nothing. */
function shownBy<One>(
  found:
    | MonitorError
    | { kind: 'listed'; people: readonly One[] }
    | { kind: 'off' | 'no-container' },
): readonly One[] | NotDoneCode {
  if (found instanceof MonitorError) return found.code
  if (found.kind === 'listed') return found.people

  return found.kind === 'off' ? 'no-operation' : 'not-found'
}

export async function readPeople({ monitor }: House, token: string, containerId: number) {
  return shownBy(await orMonitorError(monitor.usersOf(token, containerId)))
}

export async function readInvites({ monitor }: House, token: string, containerId: number) {
  return shownBy<Listed>(await orMonitorError(monitor.invitesTo(token, containerId)))
}

/**
 * The container’s people as they are now; its name is learned meanwhile.
 * @throws UserError, saying why, if the token lacks READ or gets no list; MonitorError for any other failure.
 */
export async function listFor(house: House, reader: Account, containerId: number) {
  const { owner, token } = reader
  const named = learnName(house, reader, containerId)
  const found = await orMonitorError(house.monitor.usersOf(token, containerId))
  await named

  const where = containerInWords(house, owner, containerId)
  if (found instanceof MonitorError) {
    if (found.code !== 'forbidden') throw found

    throw new UserError(`Your token lacks READ on ${where}, so I can’t see who’s on it.`)
  }

  if (found.kind !== 'listed')
    throw new UserError(
      `Monitoring knows no container ${containerId}, or doesn’t show you its people.`,
    )

  house.names.used(reader).note(containerId, { people: found.people })

  return found.people
}

/** Somebody by their number, with name and address if the asker’s token has shown these. */
export function soughtBy(house: House, asker: SlackUser, userId: number): Sought {
  const { email = '', name = '' } = personShown(house, asker, userId) ?? {}
  return { email, there: { userId, name } }
}

/** Reads the list in which the result of a write shows: people or, for an invitation, invitations. */
export function readListed(
  house: House,
  token: string,
  { kind, containerId }: Pick<AccessWrite, 'kind' | 'containerId'>,
) {
  const isOfInvites = accessKinds[kind].shownIn === 'invites'
  return (isOfInvites ? readInvites : readPeople)(house, token, containerId)
}

/**
 * Finds somebody’s entry in a list: their entry on this container itself, else one that they have through another
 * container. Undefined if there is none; also if two people on the container fit, such as two with the same address.
 */
export function personIn<One extends Listed>(list: readonly One[], whom: Sought): One | undefined {
  const them = list.filter((one) => isThem(whom, one))
  const [own, ...others] = them.filter(({ inherit }) => !inherit)

  return others.length > 0 ? undefined : (own ?? them[0])
}

export function isListed(list: readonly Listed[], whom: Sought): boolean {
  return list.some((one) => isThem(whom, one))
}

function isThem(whom: Sought, { id, email, authProvider }: Listed): boolean {
  // Somebody sought by address and sign-in provider isn’t found in an entry without a provider: it may be another person’s.
  if (!whom.there && whom.authProvider !== undefined && authProvider === undefined) return false
  return isSamePerson(knownBy(whom, whom.authProvider), { userId: id, email, authProvider })
}

/** Somebody as a list shows them now; undefined for an invitation, which has no user number. */
export function asShown(one: Listed): There | undefined {
  const { id: userId, name = '', permissions, member, authProvider } = one
  return userId === undefined
    ? undefined
    : {
        userId,
        name,
        permissions,
        member,
        authProvider,
      }
}

/**
 * Judges by a list whether a write was done. `outcome`: undefined while the list doesn’t show that it was. `has`: the
 * person’s flags. `there`: the person as listed.
 * @param absenceProves - For a take-back: true if a list without the person proves that they have nothing left.
 */
export function findIn(
  list: readonly Listed[],
  write: AccessWrite,
  absenceProves = false,
): Partial<SendResult> {
  const all = list.filter((one) => isThem(write, one))
  const own = all.filter(({ inherit }) => !inherit)
  const them = personIn(list, write)

  const known = { has: them?.permissions, there: them && asShown(them) }
  const gone = { kind: 'done', ground: 'seen' } as const

  // 1. A take-back is done once the person is listed, and none of their entries has anything that it takes. With
  // `absenceProves`, it is also done once the person has no entry of this container itself.
  if (write.kind === 'take-back') {
    if (absenceProves && own.length === 0)
      return { ...known, outcome: gone, has: them?.permissions ?? [] }

    const isLeft = all.some((one) => isStillThere(write, one))

    return all.length === 0 || isLeft ? known : { ...known, outcome: gone }
  }

  // 2. A removal, or an invitation that is withdrawn: done once no entry is left, of this container or another.
  if (!accessKinds[write.kind].gives) return all.length === 0 ? { outcome: gone, has: [] } : {}

  // 3. All that gives: done once an entry of this container has what was given, and nothing that was taken.
  const isDone = own.some((one) => !isLacking(write, one) && !isStillThere(write, one))
  if (!isDone) return known

  // A change was certainly made by this write: right before it, the list showed other flags. An add for good reads no
  // list before it, so a colleague may have added the person.
  const ground = write.kind === 'add-user' ? 'unattributed' : 'seen'

  return { ...known, outcome: { kind: 'done', ground } }
}

/** True if somebody still has any of what a change or a take-back takes. */
function isStillThere(write: AccessWrite, has: Listed): boolean {
  const { kind, takes = [], member, isWhole = false } = write
  const isMember = kind !== 'add-user' && member === false && has.member
  const isSome = takes.some((flag) => has.permissions.includes(flag))

  return isMember || isSome || (isWhole && isAllOfIt(write, has))
}

/** True if a take-back takes all that somebody has on the container: each flag, and the membership if they are a member. */
export function isAllOfIt({ takes = [], member }: AccessWrite, has: Listed): boolean {
  const isOthersMember = has.member && member === undefined
  return !isOthersMember && has.permissions.every((flag) => takes.includes(flag))
}

/** True if somebody is on the container exactly as they were shown. */
export function isAsShown(them: ContainerPerson, { permissions, member }: There): boolean {
  const isSame = permissions.every((flag) => them.permissions.includes(flag))
  return (
    !them.inherit &&
    them.member === member &&
    isSame &&
    them.permissions.length === permissions.length
  )
}

/**
 * Fits a change or a removal to what a list shows of its people: flags that they have already aren’t given, and flags that
 * they lack aren’t taken.
 * @returns `access`: undefined if nothing is left to do. `others`: people who can’t be changed here, by reason: the list
 * doesn’t show them (`unseen`), shows them twice, or shows them with access from another container (`inherited`).
 */
export function asListed(
  wanted: Terms,
  list: readonly ContainerPerson[],
  sought: readonly Sought[],
) {
  const them: (ContainerPerson & Pick<Sought, 'slackId'>)[] = []
  const others = Object.groupBy(sought, (whom) => {
    const meant = { ...wanted, ...whom }
    const found = personIn(list, meant)
    if (found === undefined) return isListed(list, meant) ? 'twice' : 'unseen'
    if (found.inherit) return 'inherited'

    them.push({ ...found, slackId: whom.slackId })

    return 'found'
  })

  const [only] = them
  if (only === undefined) return { access: undefined, others }

  const { kind, containerId, ends } = wanted
  const permissions = lacking(wanted, only)
  const takes = inOrder((wanted.takes ?? []).filter((flag) => only.permissions.includes(flag)))
  const member = wanted.member === only.member ? undefined : wanted.member
  const isNothing = permissions.length + takes.length === 0 && member === undefined
  const access: Access = {
    kind,
    containerId,
    people: them.map((one) => ({
      email: one.email ?? '',
      slackId: one.slackId,
      there: asShown(one),
    })),
    permissions,
    takes,
    member,
    ends,
  }

  return { access: kind === 'change' && isNothing ? undefined : access, others }
}
