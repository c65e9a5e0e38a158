// Somebody has their channel follow a container, stops that, takes it over, or asks what is followed.
import { randomUUID } from 'node:crypto'
import { type Resumed, withToken } from '../account/connect-first.ts'
import { type OpenAsk, openLine, readOpenLine } from '../alert/input.ts'
import { levelOf, readMeant, waitedOpen } from '../alert/open.ts'
import { onlyOneAlert } from '../alert/render/no-card.ts'
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import type { OpenAlert } from '../monitor/schema.ts'
import { containerInWords } from '../names/containers.ts'
import { SlackError } from '../slack/client/slack-error.ts'
import type { ActionRequest, From } from '../slack/guard/requests.ts'
import { endFollow, recordFollow } from './end.ts'
import { begun, claimOf, type Follow, leastGrave, takenOver } from './follows.ts'
import { renderConsent, renderFollow, renderFollows, renderTakenOver } from './render.ts'

const mostInChannel = 10

const notHere = 'A channel follows a container, and I can’t see one here. Type this in the channel.'
const isOthersToo = 'People of another organisation may read in this channel, so nothing is followed here.'
const unseen =
  'I can’t see whether another organisation reads in this channel, so I can’t follow anything here. Invite me with /invite @Bellhop and try again; /alert doctor says what else is missing.'
const needsInvite = 'I can’t post in this channel. Invite me with /invite @Bellhop, then follow again.'
const tooManyHere = `This channel follows ${mostInChannel} containers, the most there can be. Stop one first: /alert follows lists them.`
const notFollowed = 'This channel no longer follows that. /alert follows lists what it does.'

/**
 * `/alert follow`: what it would mean comes first, for whoever asks alone.
 * @param ask - Default: what the button below a list of what is open carries.
 */
export function offerToFollow(
  house: House,
  from: From & { readonly value?: string },
  ask = readOpenLine(from.value ?? ''),
): Promise<void> {
  return withContainer(house, from, ask, async ({ containerId, container, least, listed }) => {
    const channelId = await channelOf(house, from)
    const known = await findIn(house, from, channelId, containerId)
    if (known !== undefined && known.lost === undefined)
      throw new UserError(
        `This channel follows ${known.container} already, with ${known.carrier.name}’s account.`,
      )
    const open = listed.filter(({ lastSeverity }) => least >= leastGrave || lastSeverity <= least).length
    const line = openLine({ ...ask, container: containerId, whose: undefined, after: 0 })
    await house.slack.privately(from.place, renderConsent(house.config, { container, least, open }, line))
  })
}

/** *Follow*, below that. */
export function follow(house: House, pressed: ActionRequest): Promise<void> {
  const { asker, place } = pressed
  const ask = readOpenLine(pressed.value)
  return withContainer(house, { asker, place }, ask, async ({ containerId, container, least }) => {
    const channelId = await channelOf(house, pressed)
    await house.turns(`follow ${channelId}`, () =>
      begin(house, pressed, { channelId, containerId, container, least }),
    )
    if (place.responseUrl !== undefined) await house.slack.retract(place.responseUrl).catch(() => undefined)
  })
}

async function begin(
  house: House,
  { asker }: From,
  wanted: Pick<Follow, 'channelId' | 'containerId' | 'container' | 'least'>,
): Promise<void> {
  const { storage, slack, poller, config, now } = house
  const { channelId, containerId } = wanted
  const { workspaceId, userId, name } = asker
  const carrier = { userId, name }
  const known = await findIn(house, { asker }, channelId, containerId)
  if (known !== undefined)
    return known.lost === undefined ? undefined : await takeOverWith(house, known, carrier)
  const here = await storage.follows.list({ workspaceId, ref: channelId })
  if (here.length >= mostInChannel) throw new UserError(tooManyHere)
  const about = { ...wanted, workspaceId, id: randomUUID(), carrier, posted: { channelId, ts: '' } }
  const fresh = begun(about, now())
  const posted = await slack.post(channelId, renderFollow(config, fresh, now())).catch((error: unknown) => {
    throw error instanceof SlackError && error.isInviteNeeded ? new UserError(needsInvite) : error
  })
  await storage.follows.insert(() => ({ ...fresh, posted }))
  await recordFollow(house, fresh, 'follow', userId)
  poller.wake()
}

/** *Take over with my account*. */
export async function takeOver(house: House, pressed: ActionRequest): Promise<void> {
  const { asker } = pressed
  const found = await findPressed(house, pressed)
  const ask = { container: found.containerId, least: undefined, whose: undefined, after: 0 }
  await withContainer(house, pressed, ask, async () => {
    await takeOverWith(house, found, { userId: asker.userId, name: asker.name })
  })
}

async function takeOverWith(house: House, found: Follow, carrier: Follow['carrier']): Promise<void> {
  const { storage, slack, poller } = house
  const mine = await storage.follows.change(found, (one, at) => takenOver(one, carrier, at))
  if (mine === undefined) throw new UserError(notFollowed)
  await recordFollow(house, mine, 'take-over', carrier.userId)
  poller.wake()
  await slack.post(mine.channelId, renderTakenOver(mine, carrier.name))
}

/** *Stop following*: anybody in the channel may, and whoever carries it. */
export async function stopFollowing(house: House, pressed: ActionRequest): Promise<void> {
  const found = await findPressed(house, pressed)
  await endFollow(house, found, pressed.asker)
}

/** `/alert unfollow`. */
export async function unfollow(house: House, from: From, { container }: OpenAsk): Promise<void> {
  const { asker, place } = from
  const all = await followsFor(house, from)
  const isMeant = (one: Follow) =>
    container === undefined ||
    one.containerId === container ||
    one.container.toLowerCase().startsWith(`${String(container).toLowerCase()} (`)
  const [only, ...others] = all.filter(isMeant)
  if (only !== undefined && others.length === 0) return endFollow(house, only, asker)
  await house.slack.privately(place, renderFollows(house.config, all, isInChannel(from)))
}

/** `/alert follows`. */
export async function listFollows(house: House, from: From): Promise<void> {
  const all = await followsFor(house, from)
  await house.slack.privately(from.place, renderFollows(house.config, all, isInChannel(from)))
}

export function resumeFollow(house: House, from: From, { ask }: Resumed): Promise<void> {
  return offerToFollow(house, from, waitedOpen.parse(ask))
}

/** Reads what is open in the container with the asker's own token: they may follow what they can read. */
async function withContainer(
  house: House,
  from: From,
  ask: OpenAsk,
  work: (
    found: Pick<Follow, 'containerId' | 'container' | 'least'> & { listed: readonly OpenAlert[] },
  ) => Promise<void>,
): Promise<void> {
  if (!house.config.canAct) throw new UserError(onlyOneAlert)
  const { asker } = from
  const least = Math.min(leastGrave, levelOf(house.config.severityNames, ask.least))
  await withToken(house, from, { feature: 'follow', ask }, async (token) => {
    const { containerId, listed } = await readMeant(house, asker, token, ask.container)
    const container = containerInWords(house, asker, containerId) ?? `container ${containerId}`
    await work({ containerId, container, least, listed })
  })
}

/** The channel somebody asks in, where no other organisation reads. @throws UserError for any other place. */
async function channelOf({ slack }: House, { place }: Pick<From, 'place'>): Promise<string> {
  const { channelId, isDirect } = place
  if (channelId === undefined || isDirect) throw new UserError(notHere)
  const isShared = await slack.channels.isShared(channelId)
  if (isShared === undefined) throw new UserError(unseen)
  if (isShared) throw new UserError(isOthersToo)
  return channelId
}

async function findIn(
  { storage }: House,
  { asker: { workspaceId } }: Pick<From, 'asker'>,
  channelId: string,
  containerId: number,
): Promise<Follow | undefined> {
  return (await storage.follows.list({ workspaceId, claim: claimOf({ channelId, containerId }) }))[0]
}

/** The follow of a button, where its channel is, or whoever carries it. @throws UserError */
export async function findPressed(
  { storage }: House,
  { asker, place, value }: ActionRequest,
): Promise<Follow> {
  const { workspaceId, userId } = asker
  const found = await storage.follows.find({ workspaceId, id: value })
  const isTheirs = found?.channelId === place.channelId || found?.carrier.userId === userId
  if (found === undefined || !isTheirs) throw new UserError(notFollowed)
  return found
}

function isInChannel({ place: { channelId, isDirect } }: From): boolean {
  return channelId !== undefined && !isDirect
}

/** Of the channel somebody asks in; in their messages with the bot, those that their account reads for. */
function followsFor({ storage }: House, from: From): Promise<readonly Follow[]> {
  const { workspaceId, userId } = from.asker
  const { channelId } = from.place
  return storage.follows.list({
    workspaceId,
    ...(isInChannel(from) && channelId ? { ref: channelId } : { ownerId: userId }),
  })
}
