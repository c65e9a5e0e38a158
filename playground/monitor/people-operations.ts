// Operations on the people of a container: listing, adding, changing and removing them, and own permissions.
// Source: the API document of the service; of all but the adding, its documentation.
import { bodyOf, done, pick, refusals, select } from './answers.ts'
import {
  changedUserSchema,
  containerUserSchema,
  type PermissionFlag,
  permissionFlags,
  userFields,
} from './contract.ts'
import { type Container, type Membership, membersIn, type Seat, take } from './people.ts'
import type { Asked, Reply } from './wire/exchange.ts'
import { flagsIn, hasFlags, type NewToken, type World } from './world.ts'

/** In no order that is promised; every field unless told. Absence proves nothing, unless somebody is a member. */
export function listPeople(
  world: World,
  asked: Asked,
  token: NewToken,
  containerId: number,
): Reply {
  const container = world.people.containers.get(containerId)
  if (container === undefined) return refusals.notFound
  if (!hasFlags(world, token, containerId, ['API', 'READ'])) return refusals.forbidden
  const fields = select(asked, 'fields', userFields)
  if (fields === 'unknown') return refusals.invalid
  const { ways } = world
  const seats = world.laterSeats.read(containerId) ?? container.seats
  const isWhole =
    typeof ways.people === 'string'
      ? ways.people === 'everybody'
      : !ways.people.includes(containerId)
  const listed = membersIn(world.people, seats)
    .filter(({ member, isHidden }) => member || (!isHidden && isWhole))
    .map((one) => ({ ...one, email: isAddressShown(world, token, one) ? one.email : null }))
  return { status: 200, body: listed.map((one) => pick(one, fields ?? userFields)).toReversed() }
}

function isAddressShown({ ways }: World, token: NewToken, { id, hidesEmail }: Membership): boolean {
  if (ways.addresses === 'none') return false
  return !hidesEmail || (ways.addresses === 'and-own' && id === token.userId)
}

export function addPerson(
  world: World,
  asked: Asked,
  token: NewToken,
  container: Container,
): Reply {
  const wish = bodyOf(asked, containerUserSchema)
  if (wish === undefined) return refusals.invalid
  const { email, authProvider, member, permissions } = wish
  const found = [...world.people.users.values()].filter(
    (user) =>
      user.email === email && (authProvider === undefined || user.authProvider === authProvider),
  )
  // None: only existing users can be added. Several: authProvider is required.
  const [user] = found
  if (user === undefined || found.length > 1) return refusals.invalid
  const seat = container.seats.get(user.id)
  if (seat !== undefined) return refusals.invalid
  const kept = { mute: false, isHidden: false, inherit: false }
  return (
    refuseAbove(world, token, container, permissions) ??
    change(world, container, user.id, { ...kept, member, permissions })
  )
}

/** The list that is given replaces the whole list; what is left out stays. */
export function changePerson(
  world: World,
  asked: Asked,
  token: NewToken,
  container: Container,
  userId: number,
): Reply {
  const wish = bodyOf(asked, changedUserSchema)
  const seat = container.seats.get(userId)
  const known: readonly string[] = [...permissionFlags, ...(seat?.permissions ?? [])]
  const { member = seat?.member ?? false, permissions = seat?.permissions ?? [] } = wish ?? {}
  if (wish === undefined || !permissions.every((flag) => known.includes(flag)))
    return refusals.invalid
  if (seat === undefined || isOfAnother(world, seat)) return refusals.notFound
  const added = permissions.filter((flag) => !seat.permissions.includes(flag))
  return (
    refuseAbove(world, token, container, added) ??
    change(world, container, userId, { ...seat, member, permissions: [...new Set(permissions)] })
  )
}

/** Takes no body. Alerts that they own stay theirs. */
export function removePerson(
  world: World,
  asked: Asked,
  _token: NewToken,
  container: Container,
  userId: number,
): Reply {
  if (asked.query !== '' || asked.text !== '') return refusals.invalid
  const seat = container.seats.get(userId)
  if (seat === undefined || isOfAnother(world, seat)) return refusals.notFound
  return change(world, container, userId, undefined)
}

/** What becomes of somebody who comes from another container is not documented. */
function isOfAnother({ ways }: World, { inherit }: Seat): boolean {
  return inherit && ways.inherited === 'refused'
}

/** @returns A refusal of flags beyond the caller's own, where the service minds them. */
export function refuseAbove(
  world: World,
  token: NewToken,
  { id }: Container,
  flags: readonly string[],
): Reply | undefined {
  const own: readonly string[] = flagsIn(world, token, id)
  if (world.ways.ceiling === 'ignored' || flags.every((flag) => own.includes(flag)))
    return undefined
  return world.ways.ceiling === 403 ? refusals.forbidden : refusals.invalid
}

function change(world: World, container: Container, userId: number, seat: Seat | undefined): Reply {
  hideFromReads(world, container)
  take(container, userId, seat)
  world.changed()
  return done
}

function hideFromReads({ ways, laterSeats }: World, { id, seats }: Container): void {
  if (ways.visible !== 'at-once') laterSeats.hide(id, seats, ways.visible)
}

export function ownPermissions(
  world: World,
  _asked: Asked,
  token: NewToken,
  containerId: number,
): Reply {
  if (!world.people.containers.has(containerId)) return refusals.notFound
  const { ownPermissions: way } = world.ways
  const needed: readonly PermissionFlag[] =
    way === 'with-access' ? ['API', 'CONTAINER_ACCESS'] : ['API']
  if (way === 'refused' || !hasFlags(world, token, containerId, needed)) return refusals.forbidden
  const tokenType = token.userId === undefined ? 'container' : 'user'
  return { status: 200, body: { permissions: flagsIn(world, token, containerId), tokenType } }
}
