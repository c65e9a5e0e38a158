// Names of a container and its people, as somebody's own token shows them: in memory, sealed in the database, else read
// from the service, each as seldom as can be.
import { z } from 'zod'
import type { Sealed } from '../account/vault.ts'
import { MonitorError } from '../errors.ts'
import type { ContainerPeople } from '../monitor/containers.ts'
import { personKey, type SlackUser } from '../slack/ids.ts'
import {
  markOf,
  nothingSeen,
  type SeenByToken,
  type SeenContainer,
  type TokenMark,
  withLast,
} from './memory.ts'
import type { KeptContainer, NamesRoom } from './room.ts'

/** The service is asked again for a list, or for what it did not tell, after so long. */
export const againMs = 10 * 60_000
/** What is known is read again after so long, should somebody ask: names change. */
const freshMs = 24 * 60 * 60_000

/** Whether this was so lately. A clock that was set back makes nothing last longer. */
export function isWithin(ms: number, at: number, now: number): boolean {
  return Math.abs(now - at) < ms
}

/**
 * People of a container, for a form: those of the last ten minutes, else read.
 * @throws MonitorError as `Monitor.usersOf`.
 */
export async function peopleOf(
  room: NamesRoom,
  owner: SlackUser,
  token: string,
  containerId: number,
): Promise<ContainerPeople> {
  const { memory, now } = room
  const { mark } = memory.used(owner, token)
  const known = memory.listOf(owner, mark, containerId)
  if (known !== undefined && isWithin(againMs, known.at, now()) && !room.basic) {
    return known.people
  }
  return readPeople(room, owner, token, containerId)
}

function readPeople(
  room: NamesRoom,
  owner: SlackUser,
  token: string,
  containerId: number,
): Promise<ContainerPeople> {
  const { monitor, memory, underWay, now } = room
  const mark = markOf(token)
  return underWay.people(flightOf(owner, token, containerId), async () => {
    const people = await monitor.usersOf(token, containerId)
    if (people.kind === 'listed') {
      memory.keepList(owner, mark, containerId, { people, at: now() })
      const named = people.people.filter(({ name }) => name.trim() !== '')
      await keepSeen(room, owner, token, containerId, {
        people: named.map(({ id, name }) => [id, name] as const),
      })
    }
    remember(room, owner, mark, containerId, () => ({
      peopleAskedAt: now(),
      ...(people.kind === 'no-container' && { isNowhere: true }),
    }))
    return people
  })
}

async function readName(
  room: NamesRoom,
  owner: SlackUser,
  token: string,
  containerId: number,
): Promise<void> {
  const found = await room.monitor.containerOf(token, containerId)
  if (found.kind === 'found') await keepSeen(room, owner, token, containerId, { name: found.name })
  if (found.kind === 'no-container') {
    remember(room, owner, markOf(token), containerId, () => ({ isNowhere: true }))
  }
}

/** Whether it is worth asking for somebody's name in a container. */
export function lacksPerson({ people, peopleAt }: SeenContainer, userId: number, now: number): boolean {
  return !people.has(userId) || !isWithin(freshMs, peopleAt, now)
}

/** Whether it is worth asking for a container's name. */
export function lacksName({ name, nameAt }: SeenContainer, now: number): boolean {
  return name === undefined || !isWithin(freshMs, nameAt, now)
}

/**
 * Reads the people, or the name, of a container, unless that was done in the last ten minutes, whatever came of it, by
 * this process or another. Whoever asks meanwhile waits for the same. Never throws for the service.
 */
export function learn(
  room: NamesRoom,
  owner: SlackUser,
  token: string,
  containerId: number,
  what: 'people' | 'name',
): Promise<void> {
  return room.underWay.learning(`${what} ${flightOf(owner, token, containerId)}`, async () => {
    const { memory, containerNames, now } = room
    const { mark } = memory.used(owner, token)
    const column = what === 'people' ? 'peopleAskedAt' : 'nameAskedAt'
    const { [column]: askedAt } = memory.of(owner)?.containers.get(containerId) ?? nothingSeen
    if (isWithin(againMs, askedAt, now())) return
    if (!(await containerNames.claim(owner, containerId, what, againMs))) {
      await loadSeen(room, owner, mark, containerId)
      return
    }
    remember(room, owner, mark, containerId, () => ({ [column]: now() }))
    try {
      await (what === 'people' ? readPeople : readName)(room, owner, token, containerId)
    } catch (error) {
      if (!(error instanceof MonitorError)) throw error
    }
  })
}

function flightOf(owner: SlackUser, token: string, containerId: number): string {
  return `${personKey(owner)} ${markOf(token)} ${containerId}`
}

/** What is sealed says which token showed it, and of which container: with another, it is as if it were not there. */
const ofToken = { by: z.string(), of: z.number(), at: z.number() }
const sealedName = z.object({ ...ofToken, name: z.string() })
const sealedPeople = z.object({ ...ofToken, people: z.array(z.tuple([z.number(), z.string()])) })

/** Characters of names that are kept of one container: those of 2,000 people, and more. */
const mostKept = 150_000

/** What this person's present token showed; undefined where they have none. */
export async function seenBy(
  { memory, tokenOf }: NamesRoom,
  owner: SlackUser,
): Promise<SeenByToken | undefined> {
  const known = memory.of(owner)
  if (known !== undefined) return known
  const token = await tokenOf(owner)
  return token === undefined ? undefined : memory.used(owner, token)
}

/** Reads the database at most once for each container, until it is forgotten. */
export async function seenIn(
  room: NamesRoom,
  owner: SlackUser,
  { mark, containers }: SeenByToken,
  containerId: number,
): Promise<SeenContainer> {
  return containers.get(containerId) ?? loadSeen(room, owner, mark, containerId)
}

/** As the database has it now: another process may have learned of it. */
async function loadSeen(
  room: NamesRoom,
  owner: SlackUser,
  mark: TokenMark,
  containerId: number,
): Promise<SeenContainer> {
  const kept = await room.containerNames.find(owner, containerId)
  return rememberKept(room, owner, mark, kept ?? { containerId, name: undefined, people: undefined })
}

/** What a row of the database says, put into memory. */
export function rememberKept(
  room: NamesRoom,
  owner: SlackUser,
  mark: TokenMark,
  { containerId, name, people }: KeptContainer,
): SeenContainer {
  const openedName = openName(room, owner, mark, containerId, name)
  const openedPeople = openPeople(room, owner, mark, containerId, people)
  return remember(room, owner, mark, containerId, ({ people: known }) => ({
    ...(openedName && { name: openedName.name, nameAt: openedName.at }),
    ...(openedPeople && { people: new Map([...known, ...openedPeople.people]), peopleAt: openedPeople.at }),
  }))
}

/** @returns What is known then. */
function remember(
  { memory }: NamesRoom,
  owner: SlackUser,
  mark: TokenMark,
  containerId: number,
  change: (seen: SeenContainer) => Partial<SeenContainer>,
): SeenContainer {
  const seen = memory.of(owner)
  const before = (seen?.mark === mark ? seen.containers.get(containerId) : undefined) ?? nothingSeen
  const next = { ...before, ...change(before) }
  memory.change(owner, mark, ({ containers }) => ({ containers: withLast(containers, containerId, next) }))
  return next
}

/** The name in a row that says nothing else. */
export function nameIn(
  room: NamesRoom,
  owner: SlackUser,
  mark: TokenMark,
  { containerId, name }: Pick<KeptContainer, 'containerId' | 'name'>,
): string | undefined {
  return openName(room, owner, mark, containerId, name)?.name
}

function openName(
  room: NamesRoom,
  owner: SlackUser,
  mark: TokenMark,
  containerId: number,
  sealed: Sealed | undefined,
): z.infer<typeof sealedName> | undefined {
  const opened = open(room, owner, 'container-name', sealed)
  const { data } = sealedName.safeParse(opened)
  return data?.by === mark && data.of === containerId ? data : undefined
}

function openPeople(
  room: NamesRoom,
  owner: SlackUser,
  mark: TokenMark,
  containerId: number,
  sealed: Sealed | undefined,
): z.infer<typeof sealedPeople> | undefined {
  const opened = open(room, owner, 'people-names', sealed)
  const { data } = sealedPeople.safeParse(opened)
  return data?.by === mark && data.of === containerId ? data : undefined
}

type NamesPurpose = 'container-name' | 'people-names'

function open(
  { vault }: NamesRoom,
  { workspaceId, userId }: SlackUser,
  purpose: NamesPurpose,
  sealed: Sealed | undefined,
): unknown {
  const opened = sealed === undefined ? undefined : vault.open(sealed, { purpose, workspaceId, userId })
  return opened && JSON.parse(opened.text)
}

/**
 * Keeps what the service has just shown.
 * @param shown.people - Raw names by the service's user id.
 */
async function keepSeen(
  room: NamesRoom,
  owner: SlackUser,
  token: string,
  containerId: number,
  shown: { readonly name?: string; readonly people?: readonly (readonly [number, string])[] },
): Promise<void> {
  // They may have disconnected meanwhile, or connected with another token.
  if ((await room.tokenOf(owner)) !== token) return
  const { vault, containerNames, now } = room
  const mark = markOf(token)
  const at = now()
  const seal = (purpose: NamesPurpose, what: object) =>
    vault.seal(JSON.stringify({ by: mark, of: containerId, at, ...what }), {
      purpose,
      workspaceId: owner.workspaceId,
      userId: owner.userId,
    })
  const { name, people } = shown
  if (name !== undefined) {
    remember(room, owner, mark, containerId, () => ({ name, nameAt: at, isNowhere: false }))
    await containerNames.keep(owner, containerId, { name: seal('container-name', { name }) })
  }
  if (people !== undefined) {
    const { people: all } = remember(room, owner, mark, containerId, ({ people: known }) => ({
      people: firstOf(mostKept, new Map([...people, ...withoutThose(known, people)])),
      peopleAt: at,
      isNowhere: false,
    }))
    await containerNames.keep(owner, containerId, { people: seal('people-names', { people: [...all] }) })
  }
}

/** Whoever is no longer listed has acted on alerts, and keeps a name for that. */
function withoutThose(
  known: ReadonlyMap<number, string>,
  people: readonly (readonly [number, string])[],
): readonly (readonly [number, string])[] {
  const listed = new Set(people.map(([id]) => id))
  return [...known].filter(([id]) => !listed.has(id))
}

/** The first ones, as many as have so many characters together. */
function firstOf(most: number, names: ReadonlyMap<number, string>): ReadonlyMap<number, string> {
  const kept = new Map<number, string>()
  let characters = 0
  for (const [id, name] of names) {
    characters += name.length + String(id).length
    if (characters > most) break
    kept.set(id, name)
  }
  return kept
}
