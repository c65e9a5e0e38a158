// Begins, stops, moves and lists what a channel follows; and answers the doorbell, which a webhook of the service
// rings. Bellhop believes nothing that a ring says: the address lets somebody make Bellhop look, and no more.
import { hash, randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { withToken } from '../account/connect-first.ts'
import { isAwayFrom } from '../alert/call.ts'
import type { Call, Callee } from '../alert/followed.ts'
import { type OpenAsk, readOpenLine, type Somebody } from '../alert/input.ts'
import { levelOf, ownContainers, readMeant } from '../alert/open.ts'
import { hintIn } from '../alert/place.ts'
import { onlyReads } from '../alert/render/look-up.ts'
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { readBody } from '../http/http.ts'
import type { OpenAlert } from '../monitor/schema.ts'
import { containerInWords } from '../names/containers.ts'
import type { ActionRequest, From, MaybePressed } from '../slack/guard/requests.ts'
import { say } from '../slack/outbound/message.ts'
import type { Person } from '../slack/person.ts'
import { unheld } from '../work/lease.ts'
import { answerStanding, recordFollow, stopInTurn } from './end.ts'
import {
  type Agreed,
  claimOf,
  type Follow,
  isGrave,
  leastGrave,
  rung,
  takenOver,
} from './follows.ts'
import {
  changeInWords,
  fingerprintOf,
  leastInWords,
  renderBell,
  renderConsent,
  renderFollow,
  renderFollows,
} from './render.ts'

const mostInChannel = 10

const notHere = 'A channel follows a container, and I can’t see one here. Type this in the channel.'
const isOthersToo =
  'People of another organisation may read in this channel, so nothing is followed here.'
const cantCall =
  'I can’t call that. After “call”, and after “then”, type @ and choose one person who is in this channel, or one user group, from Slack’s list; or type nobody. I never call @here or @channel.'
const needsInvite =
  'I can’t post in this channel, or see whether another organisation reads here. Invite me with /invite @Bellhop, then follow again; /alert doctor says what else is missing.'
const tooManyHere = `This channel follows ${mostInChannel} containers, the most there can be. Stop one first: /alert follows lists them.`
const notFollowed = 'This channel no longer follows that. /alert follows lists what it does.'

/**
 * `/alert follow`: shows first what that means.
 * @param ask - Default: what the button below a list carries.
 */
export function offerToFollow(
  house: House,
  from: MaybePressed,
  ask = readOpenLine(from.value ?? ''),
): Promise<void> {
  return checkedFollow(house, from, ask, async (wanted, known, listed) => {
    const open = listed.filter((alert) => isGrave(alert, wanted.least)).length
    const question = renderConsent(house.config, wanted, open, known)
    await house.slack.privately(from.place, question)
  })
}

/** *Follow*, below that question, which is then removed. */
export async function follow(house: House, pressed: ActionRequest): Promise<void> {
  await followOrTakeOver(house, pressed)
  const { responseUrl } = pressed.place
  if (responseUrl !== undefined) await house.slack.retract(responseUrl).catch(() => undefined)
}

/** Begins a follow with the presser's account, or moves one to it, as with *Take over with my account*. */
export function followOrTakeOver(house: House, pressed: ActionRequest): Promise<void> {
  const { asker, place, value } = pressed
  const work = (wanted: WantedFollow, known: Follow | undefined) =>
    known ? takeOverFollow(house, asker, known, wanted) : startFollow(house, asker, wanted)
  return house.turns(`follow ${place.channelId}`, () =>
    checkedFollow(house, { asker, place }, readOpenLine(value), work),
  )
}

/** Moves a follow to somebody who agrees to carry it, and says so in the channel. */
async function takeOverFollow(
  house: House,
  carrier: Person,
  known: Follow,
  agreed: Agreed,
): Promise<void> {
  const { storage, slack, poller, config } = house
  const mine = await storage.follows.change(known, (one, at) => takenOver(one, carrier, agreed, at))
  if (mine === undefined) throw new UserError(notFollowed)

  await recordFollow(house, mine, 'take-over', carrier.userId)
  poller.wake()
  await answerStanding(house, known)

  const now = `I follow ${known.container} with ${carrier.name}’s account now.`
  const changes = changeInWords(config, known, agreed)
  await slack.post(known.channelId, say(changes ? `${now} ${changes}` : now))
}

/** Posts the follow’s own message, and only then stores it: its first look is due at once. */
async function startFollow(house: House, carrier: Person, wanted: WantedFollow): Promise<void> {
  const { storage, slack, poller, config, now } = house
  const { channelId } = wanted
  const { workspaceId, userId } = carrier
  const here = await storage.follows.list({ workspaceId, ref: channelId })
  if (here.length >= mostInChannel) throw new UserError(tooManyHere)

  const begun = {
    ...wanted,
    workspaceId,
    id: randomUUID(),
    carrier,
    lists: [],
    cardsAt: [],
    seen: {},
    noNewsAbove: -1,
    ...unheld,
    dueAt: now(),
    readAt: 0,
    failures: 0,
  }

  const message = renderFollow(config, begun)
  const posted = await slack.post(channelId, message)
  const ownMessage = { posted, fingerprint: fingerprintOf(message), drawnAt: now() }
  await storage.follows.insert(() => ({ ...begun, ownMessage }))
  await recordFollow(house, begun, 'follow', userId)
  poller.wake()
}

/** *Stop following*: anybody in the channel may, and whoever carries it. */
export async function stopFollowing(house: House, pressed: ActionRequest): Promise<void> {
  await stopInTurn(house, await findPressed(house, pressed), pressed.asker)
}

export async function unfollow(house: House, from: From, { container }: OpenAsk): Promise<void> {
  const isMeant = ({ containerId, container: name }: Follow) =>
    container === undefined ||
    container === containerId ||
    name.toLowerCase().startsWith(`${container} (`.toLowerCase())
  const follows = await followsFor(house, from)
  const [only, ...others] = follows.filter(isMeant)
  if (only === undefined || others.length > 0) return listFollows(house, from)
  await stopInTurn(house, only, from.asker)
}

/** *Show more*, in place of the list that it stands under. */
export function showMoreFollows(house: House, pressed: ActionRequest): Promise<void> {
  return listFollows(house, pressed, Number(pressed.value))
}

/** @param after - So many are on the pages before. */
export async function listFollows(house: House, from: From, after = 0): Promise<void> {
  const all = await followsFor(house, from)
  const isHere = isInChannel(from)
  const list = renderFollows(house.config, all, isHere, after)
  await house.slack.privately(from.place, list, { replaces: after > 0 })
}

type WantedFollow = Agreed & Pick<Follow, 'channelId' | 'container'>

/**
 * Follows only what the asker can read with their own token.
 * @param work - Gets as `known` the channel's follow of it, with other settings or without anybody who reads.
 */
async function checkedFollow(
  house: House,
  from: From,
  ask: OpenAsk,
  work: (
    wanted: WantedFollow,
    known: Follow | undefined,
    listed: readonly OpenAlert[],
  ) => Promise<void>,
): Promise<void> {
  const { config, storage } = house
  if (!config.hasAllOperations) throw new UserError(onlyReads)

  const { asker } = from
  const { workspaceId } = asker
  const channelId = await channelOf(house, from)
  await withToken(house, from, { feature: 'follow', ask }, async (token) => {
    const own = await ownContainers(house, asker)
    const { containerId, listed } = await readMeant(house, { owner: asker, token }, ask, own)
    const container = containerInWords(house, asker, containerId)

    const claim = claimOf({ channelId, containerId })
    const [known] = await storage.follows.list({ workspaceId, claim })

    // Settings that are not typed stay as they are.
    const typed = ask.least === undefined ? known?.least : levelOf(config.severityNames, ask.least)
    const least = Math.min(leastGrave, typed ?? leastGrave)
    const call = await callSetting(house, channelId, ask.call, least, known?.call)

    const isSameCall = isSameSetting(known?.call, call)
    const isSame = known?.least === least && isSameCall
    if (known !== undefined && known.lostAt === undefined && isSame) {
      const shown = leastInWords(config, least)
      throw new UserError(
        `This channel follows ${known.container} already: ${shown}, with ${known.carrier.name}’s account. To change that, type /alert follow ${containerId} min warning, for instance.`,
      )
    }

    await work({ channelId, containerId, container, least, call }, known, listed)
  })
}

/**
 * Whom the follow calls from now on.
 * @throws UserError for somebody who can't be called there.
 */
async function callSetting(
  house: House,
  channelId: string,
  ask: OpenAsk['call'],
  least: number,
  before: Call | undefined,
): Promise<Call | undefined> {
  if (ask === undefined) return before
  const callee = await calleeIn(house, channelId, ask, before)
  const third = ask.third && (await calleeIn(house, channelId, ask.third, before?.third))
  if (callee === undefined) return undefined

  const gravest = Math.min(least, levelOf(house.config.severityNames, ask.from))
  const known = before?.mention === callee.mention ? before : undefined
  return { ...known, ...callee, from: gravest, third }
}

/** @throws UserError for somebody who isn’t there, unless the follow calls them already: anybody can take that over. */
async function calleeIn(
  house: House,
  channelId: string,
  { who: mention, name }: Somebody,
  before: Callee | undefined,
): Promise<Callee | undefined> {
  if (mention === undefined) throw new UserError(cantCall)
  if (mention === 'nobody') return undefined
  if (mention === before?.mention) return { mention, name: before.name, away: before.away }
  if (await isAwayFrom(house, channelId, mention)) throw new UserError(cantCall)

  return { mention, name }
}

function isSameSetting(one: Call | undefined, other: Call | undefined): boolean {
  const isSameThird = one?.third?.mention === other?.third?.mention
  return one?.mention === other?.mention && one?.from === other?.from && isSameThird
}

/**
 * The channel somebody asks in.
 * @throws UserError where Bellhop isn’t in it, or another organisation may read.
 */
async function channelOf({ slack }: House, { place }: Pick<From, 'place'>): Promise<string> {
  const { channelId, isDirect } = place
  if (channelId === undefined || isDirect) throw new UserError(notHere)

  const state = await slack.channels.stateOf(channelId, true)
  if (state?.isShared) throw new UserError(isOthersToo)
  if (state?.isShared === undefined || !state.isMember) throw new UserError(needsInvite)
  return channelId
}

/**
 * The follow of a button, pressed in its channel, or by whoever carries it.
 * @throws UserError
 */
async function findPressed(
  { storage }: House,
  { asker, place, value }: ActionRequest,
): Promise<Follow> {
  const { workspaceId, userId } = asker
  const found = await storage.follows.find({ workspaceId, id: value })
  const isHere = found?.channelId === place.channelId
  const isTheirs = found?.carrier.userId === userId
  if (found === undefined || !(isHere || isTheirs)) throw new UserError(notFollowed)
  return found
}

function isInChannel({ place: { channelId, isDirect } }: From): boolean {
  return channelId !== undefined && !isDirect
}

/** Follows of the channel somebody asks in; in their messages with the bot, those that their account reads for. */
function followsFor({ storage }: House, from: From): Promise<readonly Follow[]> {
  const { workspaceId, userId: ownerId } = from.asker
  const { channelId: ref } = from.place
  const whose = isInChannel(from) && ref ? { ref } : { ownerId }
  return storage.follows.list({ workspaceId, ...whose })
}

/** *Get alerts at once*: a new address; the one before rings no more. */
export async function giveBell(house: House, pressed: ActionRequest): Promise<void> {
  const { storage, config, slack } = house
  const { asker, place } = pressed
  const found = await findPressed(house, pressed)
  const { carrier, container, workspaceId, id } = found
  const mayHave = config.publicUrl !== undefined && carrier.userId === asker.userId
  if (!mayHave)
    throw new UserError(`Only ${carrier.name} gets the address, whose account reads ${container}.`)

  const secret = randomBytes(32).toString('base64url')
  const bell = hash('sha256', secret)
  await storage.follows.change(found, (one) => ({ ...one, bell }))
  const address = `${config.publicUrl}/ring/${workspaceId}.${id}.${secret}`
  await slack.privately(place, renderBell(container, address))
}

const longestRing = 16 * 1024

/** `POST /ring/<secret>`: gets the same answer, whatever the secret is, and whatever it says. */
export function ringing({ storage, poller, log }: House) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url = '' } = request
    const [, workspaceId = '', id = '', secret = ''] =
      /^\/ring\/(\w+)\.([\w-]+)\.([\w-]+)$/.exec(url) ?? []
    try {
      // One that is too long, or breaks off, rings all the same.
      const body = await readBody(request, longestRing).catch(() => undefined)
      const hint = body && hintIn(body.toString('utf8'))

      const bell = hash('sha256', secret)
      const heard = await storage.follows.change({ workspaceId, id }, (one, now) =>
        one.bell === bell ? rung(one, hint, now) : undefined,
      )
      if (heard !== undefined) poller.wake()
    } catch (error) {
      log.warn({ err: error }, 'a ring could not be heard; the follow looks at its usual time')
    }

    response.writeHead(202, { connection: 'close' }).end()
    // Drops the rest of the body.
    request.resume()
  }
}
