// Answers `/alert open` with the open alerts of a container or a machine, read with the asker’s token.
import { withToken } from '../account/connect-first.ts'
import { MonitorError, orMonitorError, UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { gravestFirst, type ModeTarget, type OpenAlert } from '../monitor/schema.ts'
import {
  containerInWords,
  containersCalled,
  containersOf,
  type KnownContainer,
  notOneCalled,
} from '../names/containers.ts'
import { isAboutThis, learn, learnName } from '../names/names.ts'
import { whoIs, whoUnknown } from '../names/own-id.ts'
import type { ActionRequest, From } from '../slack/guard/requests.ts'
import { mostRows } from '../slack/outbound/list.ts'
import { type Account, nameInLine, type SlackUser } from '../slack/person.ts'
import { quote, quoteLast } from '../slack/text/typed.ts'
import { inTime } from '../work/under-way.ts'
import { type OpenAsk, readOpenLine } from './input.ts'
import { noLists, onlyReads } from './render/look-up.ts'
import { type OpenList, renderMachines, renderOpen, type ShortList } from './render/open-list.ts'

const namesWithinMs = 300
/** How many of the asker’s containers are tried at most: there may be many. */
const mostTried = 5
/** With so many alerts, a machine gets a button of its own. */
const crowd = 4
const mostElsewhere = 3

/** `in-place`: to the asker alone, replacing the list whose button was pressed. */
type Goes = 'privately' | 'in-place' | 'to-channel'

/** Lists open alerts, in steps 1 to 4. @param goes - Where the list is sent. */
export async function listOpen(
  house: House,
  from: From,
  ask: OpenAsk,
  goes: Goes = 'privately',
): Promise<void> {
  const { config, slack } = house
  if (!config.hasAllOperations) throw new UserError(onlyReads)

  const least = levelOf(config.severityNames, ask.least)
  await withToken(house, from, { feature: 'open', ask }, async (token) => {
    const { asker, place } = from
    const reader = { owner: asker, token }
    const channel = place.isDirect ? undefined : place.channelId
    const replaces = goes === 'in-place'

    // 1. What is meant: a container, or one machine. Several machines of one name are a choice.
    const own = await ownContainers(house, asker, channel)
    const machines = await machinesCalled(house, reader, ask.container, own)
    if (machines.length > 1)
      return slack.privately(place, renderMachines(ask, machines), { replaces })

    const [machine] = machines
    const asked = machine ? { ...ask, container: machine.id, asset: machine.asset } : ask

    // 2. All that is open there, and the part of it that was asked for.
    const { containerId, listed } = await readMeant(house, reader, asked, own)
    const { asset } = asked
    const at = asset === undefined ? undefined : { asset, container: containerId }
    const isTheirs = await ownedAs(house, reader, containerId, ask.whose)
    const meant = listed
      .filter((alert) => alert.lastSeverity <= least && isTheirs(alert))
      .toSorted(gravestFirst)

    // 3. Names of owners, containers and machines. As on a card, another organisation may not see them.
    const isShared = goes === 'to-channel' && channel
    const isNamed = !isShared || (await slack.channels.isSharedLately(channel)) === false
    if (!isNamed && at) throw new UserError(noMachinesThere)
    if (at) await keepPlaces(house, asker, at.asset, meant, ask)
    const assetOf =
      isNamed && at === undefined
        ? await assetsOnPage(house, reader, containerId, meant, ask)
        : () => undefined
    // Names of other containers are looked up before the list’s own: the one looked up last counts as the container used
    // last.
    const elsewhere = own.ids
      .filter((id) => id !== containerId)
      .slice(0, mostElsewhere)
      .map((id) => ({ id, name: containerInWords(house, asker, id) }))
    const short = shortList(house, asker, containerId, meant, assetOf)
    const nearby = at ? [{ id: containerId, name: short.container }] : crowdedIn(short, assetOf)
    const list: OpenList = {
      ...short,
      ...(!isNamed && {
        container: `container ${containerId}`,
        people: {},
        quiet: new Set<string>(),
      }),
      total: listed.length,
      ask: { ...asked, container: containerId },
      machine: at && ((await house.assets.nameOf(reader, at, false)) ?? `asset ${asset}`),
      others: [...nearby, ...elsewhere],
    }

    // 4. The list, to everybody there or to the asker alone.
    if (isShared) return slack.announce(place, channel, renderOpen(config, list, 'channel'))

    const inChannel = own.followed.includes(containerId)
      ? 'asker-where-followed'
      : 'asker-in-channel'
    const message = renderOpen(config, list, channel ? inChannel : 'asker')
    await slack.privately(place, message, { replaces })
  })
}

/**
 * A filter: true of the asker’s alerts, of unassigned ones, or of all.
 * @throws UserError if nobody can tell who the asker is.
 */
async function ownedAs(
  house: House,
  reader: Account,
  containerId: number,
  whose: OpenAsk['whose'],
): Promise<(alert: OpenAlert) => boolean> {
  if (!whose) return () => true
  if (whose === 'unassigned') return ({ ownerId }) => ownerId === null

  const who = await whoIs(house, reader, async () => containerId)
  if (who.kind === 'choose') throw new UserError(whoUnknown)

  return ({ ownerId }) => ownerId === who.userId
}

/**
 * Stores that the alerts on a page are on this asset, so that their cards name it. An asset’s list doesn’t say the
 * container.
 */
async function keepPlaces(
  { storage }: House,
  { workspaceId }: SlackUser,
  asset: number,
  alerts: readonly OpenAlert[],
  { after }: OpenAsk,
) {
  for (const { ks, timestamp } of alerts.slice(after).slice(0, mostRows))
    await storage.places.keep(workspaceId, ks, { asset, timestamp })
}

/**
 * Learns the names of the assets that a page’s alerts are on.
 * @returns A function that gives an alert’s asset, if known.
 */
async function assetsOnPage(
  house: House,
  reader: Account,
  containerId: number,
  alerts: readonly OpenAlert[],
  { after }: OpenAsk,
) {
  const keys = alerts.slice(after).map(({ ks }) => ks)
  const places = await house.storage.places.some(reader.owner.workspaceId, keys)
  if (places.size > 0) await inTime(house.assets.modesIn(reader, containerId), namesWithinMs)
  return ({ ks }: OpenAlert) => places.get(ks)?.asset
}

const listedFor = (goes: Goes) => (house: House, pressed: ActionRequest) =>
  listOpen(house, pressed, readOpenLine(pressed.value), goes)

export const shareOpen = listedFor('to-channel')

/** *Show more*, and other containers, replace the list above them. */
export const showMoreOpen = listedFor('in-place')

/**
 * A short list of these alerts, with the names that this person’s token has shown.
 * @param assetOf - Gives the number of the asset that an alert is on, if known.
 */
export function shortList(
  house: House,
  owner: SlackUser,
  containerId: number,
  alerts: readonly OpenAlert[],
  assetOf: (alert: OpenAlert) => number | undefined = () => undefined,
): ShortList {
  const { people = [] } = house.names.of(owner)?.in(containerId) ?? {}
  const assets = new Map<string, string>()
  const quiet = new Set<string>()
  for (const alert of alerts) {
    const asset = assetOf(alert)
    const at = asset === undefined ? undefined : { asset, container: containerId }
    const name = at && house.assets.nameKnown(owner, at)
    if (name) assets.set(alert.ks, name)
    const quietOf = (target: ModeTarget) => house.assets.modeKnown(owner, target) === 'maintenance'
    if (quietOf({ container: containerId }) || (at && quietOf(at))) quiet.add(alert.ks)
  }

  return {
    container: containerInWords(house, owner, containerId),
    containerId,
    quiet,
    alerts: alerts.toSorted(gravestFirst),
    people: Object.fromEntries(people.map(({ id, name }) => [id, name])),
    assets,
    asOf: Math.floor(house.now() / 1000),
  }
}

/** Assets whose name is known and that many of the alerts are on; the gravest alert’s asset first. */
function crowdedIn(
  { alerts, assets, containerId: id }: ShortList,
  assetOf: (alert: OpenAlert) => number | undefined,
) {
  return [...Map.groupBy(alerts, assetOf)].flatMap(([asset, on]) => {
    const name = on[crowd - 1] && assets.get(on[0]?.ks ?? '')
    return name ? [{ id, asset, name }] : []
  })
}

const noneToList =
  'I don’t know a container of yours yet. Look up an alert by its link, or ask in a channel that follows a container. If you know a container’s number, add it, as in /alert open 12.'
const noMachinesThere =
  'People of another organisation may read in this channel, so I don’t show there what is open on one machine.'

type Own = Awaited<ReturnType<typeof ownContainers>>

/**
 * Containers that may be meant: those that the channel follows, then those that the asker used. The service isn’t asked.
 */
export async function ownContainers(house: House, asker: SlackUser, channelId?: string) {
  const used = await containersOf(house, asker)
  const ref = { workspaceId: asker.workspaceId, ref: channelId ?? '' }
  const follows = channelId ? await house.storage.follows.list(ref) : []
  const followed = follows.map(({ containerId }) => containerId)

  return { used, followed, ids: [...new Set([...followed, ...used.map(({ id }) => id)])] }
}

/**
 * Machines of this name; none if a container has the name, or no name was typed.
 * @throws UserError if nothing has the name; the sentence says in which containers it was looked for.
 */
async function machinesCalled(
  house: House,
  reader: Account,
  wanted: OpenAsk['container'],
  { used, ids }: Own,
) {
  if (typeof wanted !== 'string' || containersCalled(wanted, used).length > 0) return []

  const { found, looked } = await house.assets.search(reader, wanted, ids)
  const shown = looked.slice(0, mostTried)
  if (found.length !== 1) await Promise.all(shown.map((id) => learnName(house, reader, id)))
  const inWords = (id: number) => containerInWords(house, reader.owner, id)
  if (found.length === 0) {
    const where = shown.map(inWords).join(', ') || 'the containers that I know'
    throw new UserError(
      `Nothing is called ${quote(wanted)} in ${where}. Type a container’s number instead, as in /alert open 12.`,
    )
  }

  return found.map(({ id: asset, name, container: id }) => ({
    id,
    asset,
    name: `${nameInLine(name)} · ${inWords(id)} · asset ${asset}`,
  }))
}

/**
 * Open alerts of the container that was named, or of one asset in it. If none was named, of the first of the asker’s
 * containers whose list the reader’s token gets: a failure that is about one container alone leads to the next. Names of
 * people and of the container are read meanwhile.
 * @throws UserError if there is no such container or asset, or several containers have the name, or none could be listed;
 * MonitorError for any other failure.
 */
export async function readMeant(
  house: House,
  reader: Account,
  { container: wanted, asset }: Pick<OpenAsk, 'container' | 'asset'>,
  { used, ids }: Own,
) {
  const tried = wanted === undefined ? ids.slice(0, mostTried) : [chosen(wanted, used)]
  for (const containerId of tried) {
    const learned = Promise.all([
      learn(house, reader, containerId, 'people'),
      learn(house, reader, containerId, 'name'),
    ])
    const named = inTime(learned, namesWithinMs)
    const listed = await orMonitorError(readOpenIn(house, reader, containerId, asset))
    if (listed instanceof MonitorError) {
      if (wanted !== undefined || !isAboutThis(listed)) throw listed
    } else if (listed !== undefined) {
      await named
      return { containerId, listed }
    }
  }
  if (wanted === undefined) throw new UserError(noneToList)

  const what = asset === undefined ? `container ${tried[0]}` : `asset ${asset}`
  throw new UserError(`Monitoring knows no ${what}, or doesn’t show it to you.`)
}

function chosen(wanted: number | string, known: readonly KnownContainer[]): number {
  if (typeof wanted === 'number') return wanted

  const ids = containersCalled(wanted, known)
  const [id, ...others] = ids
  if (id !== undefined && others.length === 0) return id

  throw new UserError(notOneCalled(wanted, ids))
}

/**
 * Open alerts of a container or an asset; undefined if the service knows neither.
 * @throws UserError if the service gives no lists; MonitorError.
 */
export async function readOpenIn(
  house: House,
  { owner, token }: Account,
  containerId: number,
  asset?: number,
): Promise<readonly OpenAlert[] | undefined> {
  const { monitor } = house
  const found =
    asset === undefined
      ? await monitor.openAlertsIn(token, containerId)
      : await monitor.openAlertsOf(token, String(asset))
  const { workspaceId, userId } = owner
  const outcome = found.kind === 'listed' ? 'done' : 'not-done:not-found'
  house.audit.lookedUp({ workspaceId, userId, containerId, outcome })
  if (found.kind === 'off') throw new UserError(noLists)
  if (found.kind !== 'listed') return undefined
  // An asset’s list doesn’t say which container it is in, so nothing is noted for the container.
  if (asset !== undefined) return found.alerts

  const seen = house.names.used({ owner, token })
  for (const { ks } of found.alerts) seen.alerts.set(ks, containerId)
  seen.open.set(containerId, { alerts: found.alerts, asOf: Math.floor(house.now() / 1000) })

  return found.alerts
}

/** How long a form waits for alerts. Slack gives three seconds to open it. */
const openWithinMs = 1_000

/** Open alerts of the container used last, at most a minute old; undefined if they can’t be read in time. */
export async function openNow(house: House, owner: SlackUser): Promise<ShortList | undefined> {
  const [known] = house.config.hasAllOperations ? await containersOf(house, owner) : []
  const token = known && (await house.tokens.find(owner))
  if (!known || !token) return undefined

  const account = { owner, token }
  const kept = house.names.used(account).open.get(known.id)
  const read = () => readOpenIn(house, account, known.id)
  const alerts = kept?.alerts ?? (await inTime(read().catch(silently), openWithinMs))
  if (!alerts) return undefined

  const list = shortList(house, owner, known.id, alerts)
  return { ...list, asOf: kept?.asOf ?? list.asOf }
}

function silently(error: unknown): undefined {
  if (!(error instanceof MonitorError) && !(error instanceof UserError)) throw error
}

/**
 * The level of a severity, by number, name, or a name’s beginning; infinite if none is given.
 * @throws UserError if unknown.
 */
export function levelOf(severityNames: readonly string[], least: string | undefined): number {
  if (least === undefined) return Number.POSITIVE_INFINITY
  if (/^[0-7]$/.test(least)) return Number(least)

  const level = severityNames.findIndex((name) =>
    name.toLowerCase().startsWith(least.toLowerCase()),
  )
  if (level !== -1) return level

  const names = severityNames.join(', ')
  throw new UserError(`I don’t know the severity ${quoteLast(least)} Use one of these: ${names}.`)
}
