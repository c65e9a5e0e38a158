// Finds the container of an alert, and the names of the alert’s people and container. All are as one person’s token
// shows them: what the token has shown before is taken from memory, and the rest is read from the service.
import type { House } from '../house.ts'
import { type Alert, type ContainerPerson, isSameKey } from '../monitor/schema.ts'
import type { Account, SlackUser } from '../slack/person.ts'
import { quote, quoteLast } from '../slack/text/typed.ts'
import { keysIn, learn, type Names, nameAndNumber, noNames, peopleMentioned } from './names.ts'

/**
 * Parts of a card. `names` were shown by a reader’s token. `place` may come from a link, in which anybody can write any
 * container.
 */
export interface OnCard {
  readonly names?: Names | undefined
  readonly place?: { readonly container?: number | undefined } | undefined
}

/** How many containers are searched for an alert: their lists of open alerts may be long. */
const mostSearched = 5
const mostCards = 50

/** The alert’s container, if a token has shown it. Makes no request. @param ks - As the service writes it. */
export function containerKnown({ names }: House, owner: SlackUser, ks: string, card: OnCard) {
  return card.names?.container?.id ?? names.of(owner)?.alerts.get(ks)
}

/**
 * The alert’s container, as a token has shown it. If none has, a few containers are searched for the open alert, in this
 * order: the container of the card’s place, those that the reader used last, those on the workspace’s cards. Never
 * throws if the service fails.
 * @param isBeside - True if nobody waits for the answer. Then containers used last are searched at most once in ten
 * minutes, and those on cards never.
 */
export async function containerOfAlert(
  house: House,
  reader: Account,
  ks: string,
  card: OnCard,
  isBeside = false,
): Promise<number | undefined> {
  const { owner, token } = reader
  const seen = house.names.used(reader)
  const known = containerKnown(house, owner, ks, card)
  if (known !== undefined) {
    seen.alerts.set(ks, known)
    return known
  }

  const inPlace = card.place?.container ?? []
  const used = isBeside && seen.isLately('searched') ? [] : await containersOf(house, owner)
  seen.noteLately('searched')
  const ids = used.map(({ id }) => id)
  const others = isBeside ? [] : await onCards(house, owner)
  const containers = [...new Set([inPlace, ids, others].flat())].slice(0, mostSearched)

  for (const containerId of containers) {
    const open = await keysIn(house.monitor.openAlertsIn(token, containerId))
    if (open === 'no-answer') return undefined

    for (const one of open) seen.alerts.set(isSameKey(one, ks) ? ks : one, containerId)
    if (open.some((one) => isSameKey(one, ks))) return containerId
  }

  return undefined
}

/** Containers on the workspace’s newest cards. The reader may not see them before their own token has shown them. */
async function onCards({ storage }: House, { workspaceId }: SlackUser) {
  const cards = await storage.cards.list({ workspaceId, newest: mostCards })
  return cards.flatMap(({ place, names }) => place?.container ?? names?.container?.id ?? [])
}

/** A container, with its name if a token has shown it. Raw. */
export interface KnownContainer {
  readonly id: number
  readonly name?: string | undefined
}

/**
 * Containers that somebody looked up alerts or gave access in, the last first; then others whose name their token has
 * shown. Makes no request to the service.
 */
export async function containersOf(
  house: House,
  owner: SlackUser,
): Promise<readonly KnownContainer[]> {
  const { names, storage } = house
  const { workspaceId, userId } = owner
  const own = {
    workspaceId,
    ownerId: userId,
    newest: mostCards,
  }
  const [looked, requests] = await Promise.all([
    storage.cards.list(own),
    storage.requests.list(own),
  ])

  const done = requests.flatMap(({ sends }) => sends).filter((one) => one.outcome?.kind === 'done')
  const used = [
    ...looked.flatMap((card) => card.names?.container?.id ?? []),
    ...done.flatMap(({ write }) => ('containerId' in write ? write.containerId : [])),
  ]

  const seen = names.of(owner)?.containers() ?? []
  const named = seen.flatMap(([id, { name }]) => (name?.trim() ? id : []))

  return [...new Set([...used, ...named])].map((id) => ({
    id,
    name: containerName(house, owner, id),
  }))
}

export function containersCalled(
  wanted: string,
  known: readonly KnownContainer[],
): readonly number[] {
  const plainly = (name = '') => name.trim().toLowerCase()
  return known
    .filter(({ name }) => plainly(name) !== '' && plainly(name) === plainly(wanted))
    .map(({ id }) => id)
}

const mostNamed = 6
const mostWords = 20

/** The name of a known container among words: the first one, or the longest of those that begin at the same word. */
export function namedAmong(words: readonly string[], known: readonly KnownContainer[]) {
  if (known.length === 0) return undefined

  for (const at of words.slice(0, mostWords).keys())
    for (let count = Math.min(mostNamed, words.length - at); count > 0; count -= 1) {
      const text = words.slice(at, at + count).join(' ')
      const ids = containersCalled(text, known)
      if (ids.length > 0) return { at, count, text, ids }
    }

  return undefined
}

/**
 * Says why a typed name doesn’t stand for exactly one container. Raw.
 * @param ids - Containers of this name: none, or several.
 */
export function notOneCalled(wanted: string, ids: readonly number[]): string {
  return ids.length === 0
    ? `I haven’t seen a container called ${quoteLast(wanted)} Type its number instead.`
    : `Several containers are called ${quote(wanted)}: ${ids.join(', ')}. Type the number of one.`
}

/** The name that this owner’s token has shown. Makes no request. */
export function containerName(
  { names }: House,
  owner: SlackUser,
  containerId: number,
): string | undefined {
  return names.of(owner)?.in(containerId).name?.trim() || undefined
}

/** “Customer 1 (12)” if this owner’s token has shown the name; else `otherwise`. Raw. Makes no request. */
export function containerInWords(
  house: House,
  owner: SlackUser,
  containerId: number,
  otherwise = `container ${containerId}`,
): string {
  const name = containerName(house, owner, containerId)
  return nameAndNumber({ id: containerId, name }) ?? otherwise
}

/** Names for an alert: those of its card, and those that this owner’s token has shown since. Makes no request. */
export function namesKnown(house: House, owner: SlackUser, alert: Alert, card: OnCard): Names {
  const { people, container } = card.names ?? noNames
  const id = containerKnown(house, owner, alert.ks, card)
  const named = peopleMentioned(alert).flatMap((userId) => {
    const name = personShown(house, owner, userId)?.name.trim()
    return name ? [[String(userId), name] as const] : []
  })

  return {
    people: { ...people, ...Object.fromEntries(named) },
    container:
      id === undefined
        ? undefined
        : { id, name: containerName(house, owner, id) ?? container?.name },
  }
}

/**
 * A user of the service, as this owner’s present token has shown them in a container: their name is the same in all.
 * Makes no request.
 */
export function personShown(
  house: House,
  owner: SlackUser,
  userId: number,
): ContainerPerson | undefined {
  const seen = house.names.of(owner)?.containers() ?? []
  return seen.flatMap(([, { people }]) => people).find(({ id }) => id === userId)
}

/**
 * Reads names that an alert lacks: those of its people and of its container, each at most once in ten minutes. If the
 * container is unknown, it is searched for first. Never throws if the service fails.
 * @returns All names that are known then.
 */
export async function learnNames(
  house: House,
  reader: Account,
  alert: Alert,
  card: OnCard,
): Promise<Names> {
  if (!house.config.hasAllOperations) return noNames
  const { owner } = reader
  const { ks, closedTimestamp } = alert
  // A closed alert is in no list of open alerts, so its container is not searched for.
  const isToFind = closedTimestamp === null || containerKnown(house, owner, ks, card) !== undefined
  const id = isToFind ? await containerOfAlert(house, reader, ks, card, true) : undefined
  if (id !== undefined) {
    const { people, container } = card.names ?? noNames
    const seen = house.names.used(reader).in(id).people
    const isKnown = (userId: number) => userId in people || seen.some((one) => one.id === userId)
    const isToList = !peopleMentioned(alert).every(isKnown)
    const isToName = container?.name === undefined
    await Promise.all([
      isToList && learn(house, reader, id, 'people'),
      isToName && learn(house, reader, id, 'name'),
    ])
  }
  return namesKnown(house, owner, alert, card)
}
