// `/alert open`: what is open in a container, for whoever asks, by their own token.
import { withToken } from '../account/connect-first.ts'
import { MonitorError, UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { gravestFirst, type OpenAlert } from '../monitor/schema.ts'
import {
  containerInWords,
  containersCalled,
  containersToSuggest,
  type KnownContainer,
  notOneCalled,
} from '../names/containers.ts'
import { containerNamed, learn, type Reader } from '../names/names.ts'
import { whoIs, whoUnknown } from '../names/own-id.ts'
import type { ActionRequest, From } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/person.ts'
import { quoteLast } from '../slack/text/typed.ts'
import { inTime } from '../work/under-way.ts'
import { type OpenAsk, readOpenLine } from './input.ts'
import { onlyReads } from './render/look-up.ts'
import { type OpenList, renderOpen, type ShortList } from './render/open-list.ts'

/** Nobody waits longer for names. */
const namesWithinMs = 300
const mostContainers = 20

/** *Show in channel*. */
export function shareOpen(house: House, { asker, place, value }: ActionRequest): Promise<void> {
  return listOpen(house, { asker, place }, readOpenLine(value), 'to-channel')
}

/** *Show more*, and other containers, in place of the list that they stand under. */
export function turnOpen(house: House, { asker, place, value }: ActionRequest): Promise<void> {
  return listOpen(house, { asker, place }, readOpenLine(value), 'in-place')
}

/** @param goes - To the asker alone, there in place of the list whose button was pressed, or to everybody. */
export async function listOpen(
  house: House,
  from: From,
  ask: OpenAsk,
  goes: 'privately' | 'in-place' | 'to-channel' = 'privately',
): Promise<void> {
  const { config, slack, storage } = house
  if (!config.hasAllOperations) throw new UserError(onlyReads)
  const least = levelOf(config.severityNames, ask.least)
  await withToken(house, from, { feature: 'open', ask }, async (token) => {
    const { asker, place } = from
    const reader = { asker, token }
    const { containerId, known, listed } = await readMeant(house, reader, ask.container)
    const who = ask.whose === 'mine' ? await whoIs(house, reader, async () => containerId) : undefined
    if (who?.kind === 'choose') throw new UserError(whoUnknown)
    const own = who?.userId ?? null
    const isMeant = ({ lastSeverity, ownerId }: OpenAlert) =>
      lastSeverity <= least && (ask.whose === undefined || ownerId === own)
    const channel = place.isDirect ? undefined : place.channelId
    const isShared = goes === 'to-channel' && channel !== undefined
    // As on a card: who has it, and whose it is, is not for another organisation.
    const isNamed = !isShared || (await slack.channels.wasShared(channel)) === false
    const list: OpenList = {
      ...shortList(house, asker, containerId, listed.filter(isMeant)),
      ...(!isNamed && { container: `container ${containerId}`, people: {} }),
      total: listed.length,
      ask: { ...ask, container: containerId },
      others: known
        .filter(({ id }) => id !== containerId)
        .map((one) => ({ id: one.id, name: containerNamed(one) ?? `container ${one.id}` })),
    }
    if (isShared) return slack.announce(place, channel, renderOpen(config, list, 'channel'))
    const { workspaceId } = asker
    const here = channel === undefined ? [] : await storage.follows.list({ workspaceId, ref: channel })
    const isFollowed = here.some((follow) => follow.containerId === containerId)
    const inChannel = isFollowed ? 'asker-where-followed' : 'asker-in-channel'
    const message = renderOpen(config, list, channel === undefined ? 'asker' : inChannel)
    await slack.privately(place, message, { replaces: goes === 'in-place' })
  })
}

/** With the names that this person's token has shown. */
export function shortList(
  house: House,
  owner: SlackUser,
  containerId: number,
  alerts: readonly OpenAlert[],
): ShortList {
  const { people = [] } = house.names.of(owner)?.in(containerId) ?? {}
  return {
    container: containerInWords(house, owner, containerId),
    containerId,
    alerts: alerts.toSorted(gravestFirst),
    people: Object.fromEntries(people.map(({ id, name }) => [id, name])),
    asOf: Math.floor(house.now() / 1000),
  }
}

/**
 * What is open in the container that somebody means; names are learned beside it.
 * @throws UserError where that is none, or nobody can tell; MonitorError.
 */
export async function readMeant(house: House, reader: Reader, wanted: OpenAsk['container']) {
  const known = await containersToSuggest(house, reader.asker, mostContainers)
  const containerId = chosen(wanted, known)
  const [listed] = await Promise.all([
    readOpenIn(house, reader, containerId),
    inTime(learn(house, reader, containerId, 'name'), namesWithinMs),
    inTime(learn(house, reader, containerId, 'people'), namesWithinMs),
  ])
  return { containerId, known, listed }
}

/** @param known - Containers that this person uses, the last used first. */
function chosen(wanted: OpenAsk['container'], known: readonly KnownContainer[]): number {
  if (typeof wanted === 'number') return wanted
  const ids = wanted === undefined ? known.slice(0, 1).map(({ id }) => id) : containersCalled(wanted, known)
  const [id, ...others] = ids
  if (id !== undefined && others.length === 0) return id
  const which = 'Which container? Type its number, as in /alert open 12.'
  throw new UserError(wanted === undefined ? which : notOneCalled(wanted, ids))
}

/** @throws UserError where there is no such list, or container; MonitorError. */
async function readOpenIn(
  house: House,
  { asker: { workspaceId, userId }, token }: Reader,
  containerId: number,
): Promise<readonly OpenAlert[]> {
  const found = await house.monitor.openAlertsIn(token, containerId)
  const outcome = found.kind === 'listed' ? 'done' : 'not-done:not-found'
  house.audit.lookedUp({ workspaceId, userId, containerId, outcome })
  if (found.kind === 'off')
    throw new UserError('This monitoring service doesn’t list open alerts. Look one up by its key or link.')
  if (found.kind === 'no-container')
    throw new UserError(`Monitoring knows no container ${containerId}, or doesn’t show it to you.`)
  const seen = house.names.used({ workspaceId, userId }, token)
  for (const { ks } of found.alerts) seen.alerts.set(ks, containerId)
  return found.alerts
}

/** Slack gives a form three seconds. */
const openWithinMs = 1_000

/** What is open in the container that somebody used last; undefined where that isn't known in time. */
export async function openNow(house: House, owner: SlackUser): Promise<ShortList | undefined> {
  const reading = async () => {
    const [known] = await containersToSuggest(house, owner, 1)
    const token = known && (await house.tokens.find(owner))
    if (known === undefined || token === undefined) return undefined
    return shortList(house, owner, known.id, await readOpenIn(house, { asker: owner, token }, known.id))
  }
  try {
    return house.config.hasAllOperations ? await inTime(reading(), openWithinMs) : undefined
  } catch (error) {
    if (!(error instanceof MonitorError) && !(error instanceof UserError)) throw error
    return undefined
  }
}

/** The level of a name, or of its beginning; all where none was named. */
export function levelOf(severityNames: readonly string[], least: string | undefined): number {
  if (least === undefined) return Number.POSITIVE_INFINITY
  if (/^[0-7]$/.test(least)) return Number(least)
  const level = severityNames.findIndex((name) => name.toLowerCase().startsWith(least.toLowerCase()))
  if (level !== -1) return level
  const names = severityNames.join(', ')
  throw new UserError(`I don’t know the severity ${quoteLast(least)} Use one of these: ${names}.`)
}
