// People of a container, and invitations to it, as somebody’s token lists them; and what such a list proves of a write.
// Absence from it proves nothing of people who were never in it, as it lacks some; and it doesn’t say who did what.
// Source: the service's documentation of “Query users” and “Query invites” of a container.
import { MonitorError, orMonitorError } from '../errors.ts'
import type { House } from '../house.ts'
import { type ContainerPerson, isSameAddress } from '../monitor/schema.ts'
import { ownIdOf } from '../names/own-id.ts'
import type { AccessWrite, NotDoneCode, There } from '../send/outcome.ts'
import type { SendResult } from '../send/send.ts'
import type { SlackUser } from '../slack/person.ts'
import { type Access, isLacking, lacking, type Sought, type Terms } from './access.ts'
import { inOrder } from './roles.ts'

/** Somebody on a container, or invited to it: then with an address alone. */
export type Listed = Pick<ContainerPerson, 'email' | 'member' | 'permissions'> &
  Partial<ContainerPerson>

/** What somebody's token shows, or why it shows nothing. */
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

/** The list in which a write shows. */
export function readListed(
  house: House,
  token: string,
  access: Pick<AccessWrite, 'kind' | 'containerId'>,
) {
  const isOfInvites = access.kind === 'invite' || access.kind === 'uninvite'
  return (isOfInvites ? readInvites : readPeople)(house, token, access.containerId)
}

type HowSignedIn = Pick<AccessWrite, 'authProvider'>

/**
 * Finds somebody, on this container first. Undefined where an address is there twice: only a provider tells them apart.
 */
export function personIn<One extends Listed>(
  list: readonly One[],
  whom: Sought & HowSignedIn,
): One | undefined {
  const them = list.filter((one) => isThem(whom, one))
  const [own, ...others] = them.filter(({ inherit }) => !inherit)
  return others.length > 0 ? undefined : (own ?? them[0])
}

export function isListed(list: readonly Listed[], whom: Sought): boolean {
  return list.some((one) => isThem(whom, one))
}

function isThem({ email, authProvider, there }: Sought & HowSignedIn, person: Listed): boolean {
  if (there !== undefined) return person.id === there.userId
  return (
    person.email !== undefined &&
    isSameAddress(person.email, email) &&
    (authProvider === undefined ||
      person.authProvider?.toLowerCase() === authProvider.toLowerCase())
  )
}

/** Has no outcome while nothing shows that it was done. `has`: the flags they have. */
export function findIn(list: readonly Listed[], write: AccessWrite): Partial<SendResult> {
  const them = list.filter((one) => isThem(write, one))
  const gone = { kind: 'done', on: 'seen' } as const
  if (write.kind === 'take-back')
    return them.some((one) => !one.inherit && isLeft(write, one)) ? {} : { outcome: gone }
  if (write.kind === 'remove' || write.kind === 'uninvite')
    return them.length === 0 ? { outcome: gone, has: [] } : {}
  const has = personIn(list, write)?.permissions
  const isDone = them.some((one) => !one.inherit && !isLacking(write, one) && !isLeft(write, one))
  if (!isDone) return { has }
  // Who was changed was shown otherwise before; anybody may have added somebody.
  const on = write.kind === 'add-user' ? 'unsaid' : 'seen'
  return { outcome: { kind: 'done', on }, has }
}

/** True where something is still there that a change takes. */
function isLeft({ kind, takes = [], member }: AccessWrite, has: Listed): boolean {
  const isMember = kind !== 'add-user' && member === false && has.member
  return isMember || takes.some((flag) => has.permissions.includes(flag))
}

/** True where they are on the container exactly as they were shown. */
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
 * A change or a removal of people as a list shows them, with nothing in it that they have, or lack, already.
 * @returns `access`: undefined where nothing is left to do. `unseen`, `inherited`: nothing can be done about them here.
 */
export function asListed(
  wanted: Terms,
  list: readonly ContainerPerson[],
  sought: readonly Sought[],
) {
  const found = sought.map((whom) => ({ whom, them: personIn(list, { ...wanted, ...whom }) }))
  const unseen = found.flatMap(({ whom, them }) => (them === undefined ? [whom] : []))
  const inherited = found.flatMap(({ whom, them }) => (them?.inherit ? [whom] : []))
  const them = found.flatMap((one) =>
    one.them === undefined || one.them.inherit ? [] : [one.them],
  )
  const people = them.map(({ id: userId, email = '', name, permissions, member }) => {
    return { email, there: { userId, name, permissions, member } }
  })
  const [only] = them
  if (only === undefined) return { access: undefined, unseen, inherited }
  const { kind, containerId } = wanted
  if (kind === 'remove')
    return { access: { kind, containerId, people, permissions: [] }, unseen, inherited }
  const permissions = lacking(wanted, only)
  const takes = inOrder((wanted.takes ?? []).filter((flag) => only.permissions.includes(flag)))
  const member = wanted.member === only.member ? undefined : wanted.member
  const isNothing = permissions.length === 0 && takes.length === 0 && member === undefined
  const gives = { permissions, takes, member, ...(wanted.ends && { ends: wanted.ends }) }
  const access: Access = { kind, containerId, people: people.slice(0, 1), ...gives }
  return { access: isNothing ? undefined : access, unseen, inherited }
}

/** Warns of what people can’t undo by themselves. Raw, a line each. @param list - As just read. */
export async function warningsFor(
  house: House,
  asker: SlackUser,
  list: readonly ContainerPerson[],
  { kind, people, takes = [] }: Access,
): Promise<readonly string[]> {
  const ids = people.map(({ there }) => there?.userId)
  const isLost = kind === 'remove' || takes.includes('CONTAINER_ACCESS')
  const holders = list.filter(({ permissions }) => permissions.includes('CONTAINER_ACCESS'))
  const isLast = isLost && holders.length > 0 && holders.every(({ id }) => ids.includes(id))
  const address = (await house.slack.people.whoIs(asker.userId))?.email
  const own = await ownIdOf(house, asker)
  const isOwn = people.some(
    ({ email, there }) =>
      there?.userId === own || (address && email && isSameAddress(email, address)),
  )
  return [
    ...(isOwn && (kind === 'remove' || takes.length > 0) ? ['This is your own access.'] : []),
    ...(isLast ? ['After this, nobody I can see there has CONTAINER_ACCESS.'] : []),
  ]
}
