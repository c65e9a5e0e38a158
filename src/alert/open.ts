// `/alert open`: what is open in a container, for whoever asks, by their own token.
import { z } from 'zod'
import { type Resumed, withToken } from '../account/connect-first.ts'
import { MonitorError, UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { gravestFirst, type OpenAlert } from '../monitor/schema.ts'
import {
  containerInWords,
  containersCalled,
  containersToSuggest,
  type KnownContainer,
  learnContainerName,
  notOneCalled,
} from '../names/containers.ts'
import { containerNamed } from '../names/names.ts'
import { whoAmI, whoUnknown } from '../names/own-id.ts'
import { learn } from '../names/people.ts'
import type { ActionRequest, From } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import { quote } from '../slack/text/typed.ts'
import { inTime } from '../work/under-way.ts'
import { type OpenAsk, openLine, readOpenLine } from './open-input.ts'
import { onlyOneAlert } from './render/no-card.ts'
import { type OpenList, renderOpen, type ShortList } from './render/open-list.ts'

/** Names are asked for beside the list, and nobody waits longer for them. */
const namesWithinMs = 300
const mostContainers = 20

const waited = z.object({ line: z.string() })

/** What waits for an account. */
export const waitingOpen = (ask: OpenAsk) => ({ line: openLine(ask) })

export function waitedOpen({ ask }: Resumed): OpenAsk {
  return readOpenLine(waited.parse(ask).line)
}

/** Where the list goes: to the asker alone, there in place of the one whose button was pressed, or to everybody. */
type Goes = 'privately' | 'in-place' | 'to-channel'

export async function listOpen(
  house: House,
  from: From,
  ask: OpenAsk,
  goes: Goes = 'privately',
): Promise<void> {
  if (!house.config.canAct) throw new UserError(onlyOneAlert)
  const least = levelOf(house.config.severityNames, ask.least)
  await withToken(house, from, { feature: 'open', ask: waitingOpen(ask) }, async (token) => {
    const { asker, place } = from
    const { containerId, known, listed } = await readMeant(house, asker, token, ask.container)
    const own = ask.whose === 'mine' ? await ownNumber(house, asker, token, containerId) : null
    const isMeant = ({ lastSeverity, ownerId }: OpenAlert) =>
      lastSeverity <= least && (ask.whose === undefined || ownerId === own)
    const channel = place.isDirect ? undefined : place.channelId
    const isShared = goes === 'to-channel' && channel !== undefined
    // As on a card: who has it, and whose it is, is not for another organisation.
    const isNamed = !isShared || (await house.slack.channels.wasShared(channel)) === false
    const alerts = listed.filter(isMeant)
    const list: OpenList = {
      ...shortList(house, asker, containerId, alerts),
      ...(!isNamed && { container: `container ${containerId}`, people: {} }),
      total: listed.length,
      ask: { ...ask, container: containerId },
      others: known
        .filter(({ id }) => id !== containerId)
        .map((one) => ({ id: one.id, name: containerNamed(one) ?? `container ${one.id}` })),
    }
    if (isShared) return house.slack.announce(place, channel, renderOpen(house.config, list, 'channel'))
    const message = renderOpen(house.config, list, channel === undefined ? 'asker' : 'asker-in-channel')
    await house.slack.privately(place, message, { replaces: goes === 'in-place' })
  })
}

/** Alerts of a container with the names that this person's token has shown, the gravest first. */
export function shortList(
  house: House,
  owner: SlackUser,
  containerId: number,
  alerts: readonly OpenAlert[],
): ShortList {
  const { people = [] } = house.names.of(owner)?.in(containerId) ?? {}
  return {
    container: containerInWords(house, owner, containerId) ?? `container ${containerId}`,
    alerts: alerts.toSorted(gravestFirst),
    people: Object.fromEntries(people.map(({ id, name }) => [id, name])),
    asOf: Math.floor(house.now() / 1000),
  }
}

/**
 * What is open in the container that somebody means; names are learned beside it.
 * @throws UserError where that is none, or nobody can tell; MonitorError.
 */
export async function readMeant(house: House, asker: SlackUser, token: string, wanted: OpenAsk['container']) {
  const known = await containersToSuggest(house, asker, mostContainers)
  const containerId = chosen(wanted, known)
  const [listed] = await Promise.all([
    readOpenIn(house, asker, token, containerId),
    inTime(learnContainerName(house, asker, token, containerId), namesWithinMs),
    inTime(learn(house, asker, token, containerId, 'people'), namesWithinMs),
  ])
  return { containerId, known, listed }
}

/** Slack gives a form three seconds. */
const openWithinMs = 1_000

/**
 * What is open in the container that somebody used last, for them alone; undefined where that isn't known in time, or the
 * service doesn't say.
 */
export async function openNow(house: House, owner: SlackUser): Promise<ShortList | undefined> {
  if (!house.config.canAct) return undefined
  return inTime(
    listLastUsed(house, owner).catch((error: unknown) => {
      if (!(error instanceof MonitorError) && !(error instanceof UserError)) throw error
      return undefined
    }),
    openWithinMs,
  )
}

async function listLastUsed(house: House, owner: SlackUser): Promise<ShortList | undefined> {
  const [known] = await containersToSuggest(house, owner, 1)
  const token = known && (await house.tokens.find(owner))
  if (known === undefined || token === undefined) return undefined
  const listed = await readOpenIn(house, owner, token, known.id)
  return shortList(house, owner, known.id, listed)
}

/** *Show in channel*: read anew, for everybody there. */
export function shareOpen(house: House, { asker, place, value }: ActionRequest): Promise<void> {
  return listOpen(house, { asker, place }, readOpenLine(value), 'to-channel')
}

/**
 * What is open in a container, read for somebody who asked.
 * @throws UserError where there is no such list, or container; MonitorError.
 */
async function readOpenIn(
  house: House,
  { workspaceId, userId }: SlackUser,
  token: string,
  containerId: number,
): Promise<readonly OpenAlert[]> {
  const found = await house.monitor.openAlertsIn(token, containerId)
  const outcome = found.kind === 'listed' ? 'done' : 'not-done:not-found'
  house.audit.lookedUp({ workspaceId, userId, containerId, outcome })
  if (found.kind === 'off') throw new UserError(noListsThere)
  if (found.kind === 'no-container') throw new UserError(noContainer(containerId))
  const seen = house.names.used({ workspaceId, userId }, token)
  for (const { ks } of found.alerts) seen.alerts.set(ks, containerId)
  seen.note(containerId, { listedAt: house.now() })
  return found.alerts
}

/** *Show more*, and other containers, in place of the list that they stand under. */
export function turnOpen(house: House, { asker, place, value }: ActionRequest): Promise<void> {
  return listOpen(house, { asker, place }, readOpenLine(value), 'in-place')
}

export function resumeOpen(house: House, from: From, resumed: Resumed): Promise<void> {
  return listOpen(house, from, waitedOpen(resumed))
}

/** The level of a name, or of its beginning; all where none was named. */
export function levelOf(severityNames: readonly string[], least: string | undefined): number {
  if (least === undefined) return Number.POSITIVE_INFINITY
  if (/^[0-7]$/.test(least)) return Number(least)
  const level = severityNames.findIndex((name) => name.toLowerCase().startsWith(least.toLowerCase()))
  if (level !== -1) return level
  throw new UserError(
    `I don’t know the severity ${quote(least)}. Use one of these: ${severityNames.join(', ')}.`,
  )
}

/** @param known - Containers that this person uses, the last used first. */
function chosen(wanted: OpenAsk['container'], known: readonly KnownContainer[]): number {
  if (typeof wanted === 'number') return wanted
  const [first] = known
  if (wanted === undefined) {
    if (first !== undefined) return first.id
    throw new UserError('Which container? Type its number, as in /alert open 12.')
  }
  const ids = containersCalled(wanted, known)
  const [id, ...others] = ids
  if (id === undefined || others.length > 0) throw new UserError(notOneCalled(wanted, ids))
  return id
}

async function ownNumber(
  house: House,
  asker: SlackUser,
  token: string,
  containerId: number,
): Promise<number> {
  const who = await whoAmI(house, asker, token, containerId)
  if (who.kind === 'known') return who.userId
  throw new UserError(whoUnknown)
}

const noListsThere = 'This monitoring service doesn’t list open alerts. Look one up by its key or link.'

function noContainer(id: number): string {
  return `Monitoring knows no container ${id}, or doesn’t show it to you.`
}
