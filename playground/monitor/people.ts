// People and containers of the stand-in service: who there is, and who is on which container.
import type { AuthProvider, Mode } from './contract.ts'

/** An address may occur several times, each with a provider of its own. */
export interface NewUser {
  readonly email: string
  /** Default Password. */
  readonly authProvider?: AuthProvider
  /** Default the next free one from 101 on. */
  readonly id?: number
  /** Default made from the address: Dave Doe of dave.doe@example.com. */
  readonly name?: string
  /** Others do not see the address. */
  readonly hidesEmail?: boolean
}

export type ServiceUser = Required<NewUser>

/** What somebody is on one container. */
export interface Seat {
  readonly member: boolean
  /** The service may have flags that are not documented. */
  readonly permissions: readonly string[]
  /** They silenced what the service sends them. */
  readonly mute: boolean
  /** They come from another container. */
  readonly inherit: boolean
  /** Listed only if they are a member. */
  readonly isHidden: boolean
}

export interface NewMember extends NewUser, Partial<Seat> {}

/** Somebody on a container. */
export interface Membership extends ServiceUser, Seat {}

/** Seats by user id. */
export type Seats = ReadonlyMap<number, Seat>

/** What somebody whom the service does not know yet is to be on a container. */
export interface Invitation {
  readonly email: string
  readonly member: boolean
  /** The service may have flags that are not documented. */
  readonly permissions: readonly string[]
}

export interface NewInvitation extends Partial<Invitation> {
  readonly email: string
}

/** Invitations by address. */
export type Invitations = ReadonlyMap<string, Invitation>

export interface NewContainer {
  readonly users?: readonly (string | NewMember)[]
  /** Default Customer 1, Customer 2 and so on, in the order of being added. */
  readonly name?: string
  readonly timezone?: string
  /** For ever. Default normal. */
  readonly mode?: Mode
  readonly properties?: Readonly<Record<string, unknown>>
}

/** Its mode is kept apart. */
export interface Container {
  readonly id: number
  readonly name: string
  readonly timezone: string
  readonly properties: ReadonlyMap<string, unknown>
  /** Replaced by every change. */
  seats: Seats
  /** Those that are pending. Replaced by every change. */
  invitations: Invitations
  /** Users who were taken off and are not back: their tokens have no flag here. */
  readonly left: Set<number>
}

export interface People {
  readonly users: Map<number, ServiceUser>
  readonly containers: Map<number, Container>
}

const firstId = 101

/** Changes what is given of somebody who is known by address and provider. @throws TypeError when the id is another's. */
export function addUser({ users, containers }: People, user: NewUser): ServiceUser {
  const { email, authProvider = 'Password' } = user
  const known = [...users.values()].find(
    (one) => one.email === email && one.authProvider === authProvider,
  )
  const id = user.id ?? known?.id ?? Math.max(firstId - 1, ...users.keys()) + 1
  if (users.has(id) && users.get(id) !== known)
    throw new TypeError(`the id ${id} is somebody else's`)
  if (known !== undefined && known.id !== id) renumber({ users, containers }, known.id, id)
  const added = { name: nameOf(email), hidesEmail: false, ...known, ...user, authProvider, id }
  users.set(id, added)
  return added
}

/** The same person, under another address. @throws TypeError when nobody has this id. */
export function changeAddress({ users }: People, id: number, email: string): void {
  const user = users.get(id)
  if (user === undefined) throw new TypeError(`there is nobody with the id ${id}`)
  users.set(id, { ...user, email })
}

/** Seats move along, tokens do not. */
function renumber({ users, containers }: People, from: number, to: number): void {
  users.delete(from)
  for (const container of containers.values())
    container.seats = new Map(
      [...container.seats].map(([id, seat]) => [id === from ? to : id, seat]),
    )
}

function nameOf(email: string): string {
  const [local = ''] = email.split('@')
  const words = local.split(/[._+-]+/).filter((word) => word !== '')
  return words.map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`).join(' ') || email
}

/** Replaces a container with the same id. Users named only by their email sign in with a password. */
export function addContainer(people: People, id: number, how: Omit<NewContainer, 'mode'>): void {
  const { containers } = people
  const container: Container = {
    id,
    name: how.name ?? containers.get(id)?.name ?? `Customer ${containers.size + 1}`,
    timezone: how.timezone ?? 'Europe/Amsterdam',
    properties: new Map(Object.entries(how.properties ?? {})),
    seats: new Map(),
    invitations: new Map(),
    left: new Set(),
  }
  containers.set(id, container)
  for (const user of how.users ?? [])
    putOn(people, container, typeof user === 'string' ? { email: user } : user)
}

/** Puts somebody on a container, or changes what is given of their seat. */
export function putOn(people: People, container: Container, how: NewMember): void {
  const { id } = addUser(people, how)
  const seat = container.seats.get(id)
  take(container, id, {
    member: how.member ?? seat?.member ?? false,
    permissions: how.permissions ?? seat?.permissions ?? ['READ'],
    mute: how.mute ?? seat?.mute ?? false,
    inherit: how.inherit ?? seat?.inherit ?? false,
    isHidden: how.isHidden ?? seat?.isHidden ?? false,
  })
}

/** @param seat - Undefined: nobody sits there any more. */
export function take(container: Container, id: number, seat: Seat | undefined): void {
  const seats = new Map(container.seats)
  if (seat === undefined) {
    seats.delete(id)
    container.left.add(id)
  } else {
    seats.set(id, seat)
    container.left.delete(id)
  }
  container.seats = seats
}

/** Replaces the invitation of the same address. */
export function inviteTo(container: Container, invitation: NewInvitation): void {
  const { email, member = false, permissions = [] } = invitation
  container.invitations = new Map([
    ...container.invitations,
    [email, { email, member, permissions }],
  ])
}

export function membersIn({ users }: People, seats: Seats): readonly Membership[] {
  return [...seats].flatMap(([id, seat]) => {
    const user = users.get(id)
    return user === undefined ? [] : [{ ...user, ...seat }]
  })
}
