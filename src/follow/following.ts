// Begins, stops and lists follows, and moves them to another account. (A follow is a channel that gets a container’s new
// alerts, read with the token of its carrier.) Also answers the doorbell, an address that a webhook of the service rings.
// A ring proves nothing: somebody who has the address can only make Bellhop look, and say at which asset first.
import { hash, randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { withToken } from '../account/connect-first.ts'
import { isAwayFrom } from '../alert/call.ts'
import type { Call, Callee } from '../alert/followed.ts'
import { type OpenAsk, readOpenLine, type Somebody } from '../alert/input.ts'
import { levelOf, ownContainers, readMeant } from '../alert/open.ts'
import { hintIn } from '../alert/place.ts'
import { onlyReads } from '../alert/render/look-up.ts'
import { newTally } from '../alert/tally.ts'
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { readBody } from '../http/http.ts'
import type { OpenAlert } from '../monitor/schema.ts'
import { containerInWords } from '../names/containers.ts'
import type { ActionRequest, From, MaybePressed } from '../slack/guard/requests.ts'
import { say } from '../slack/outbound/message.ts'
import type { Person } from '../slack/person.ts'
import { quoteLast } from '../slack/text/typed.ts'
import { unheld } from '../work/lease.ts'
import { type Daily, readDaily } from './daily.ts'
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
  followLine,
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
const cantDaily =
  'Type when I should post how the night went, as in daily 08:00 or weekdays 8:30am; or type daily off.'
const needsInvite =
  'I can’t post in this channel, or see whether another organisation reads here. Invite me with /invite @Bellhop, then follow again; /alert doctor says what else is missing.'
const tooManyHere = `This channel follows ${mostInChannel} containers, the most there can be. Stop one first: /alert follows lists them.`
const notFollowed = 'This channel no longer follows that. /alert follows lists what it does.'

/**
 * Answers `/alert follow`, or the button below a list of open alerts, with a question that says what following means.
 * @param ask - The line that was typed; default: the line that the button carries.
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

/** *Follow*, below the question of `offerToFollow`: follows, and then removes the question. */
export async function follow(house: House, pressed: ActionRequest): Promise<void> {
  await followOrTakeOver(house, pressed)
  const { responseUrl } = pressed.place
  if (responseUrl !== undefined) await house.slack.retract(responseUrl).catch(() => undefined)
}

/**
 * Begins a follow with the account of whoever pressed. If the channel follows the container already, moves that follow to
 * their account, as *Take over with my account* does.
 */
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

/** Posts the follow’s own message, and only then stores the follow, whose first look is due at once. */
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
    tally: newTally(now()),
  }

  const message = renderFollow(config, begun)
  const posted = await slack.post(channelId, message)
  const ownMessage = { posted, fingerprint: fingerprintOf(message), drawnAt: now() }
  await storage.follows.insert(() => ({ ...begun, ownMessage }))
  await recordFollow(house, begun, 'follow', userId)
  poller.wake()
}

/** *Stop following*: anybody in the channel may press it, and the carrier anywhere. */
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

/** *Show more* below a list of follows: the next page replaces the list. */
export function showMoreFollows(house: House, pressed: ActionRequest): Promise<void> {
  return listFollows(house, pressed, Number(pressed.value))
}

/** @param after - Number of follows on the pages before. */
export async function listFollows(house: House, from: From, after = 0): Promise<void> {
  const all = await followsFor(house, from)
  const isHere = isInChannel(from)
  const list = renderFollows(house.config, all, isHere, after)
  await house.slack.privately(from.place, list, { replaces: after > 0 })
}

type WantedFollow = Agreed & Pick<Follow, 'channelId' | 'container'>

/**
 * Checks an ask to follow, and then does the work. The asker must be able to read the container with their own token.
 * @param work - Begins or changes the follow. `wanted`: what was asked. `known`: the channel’s present follow of this
 * container, if any; either its settings differ from `wanted`, or nobody reads for it. `listed`: the container’s open
 * alerts.
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

    const daily = await dailySetting(house, asker, ask.daily, known?.daily)
    const wanted = {
      channelId,
      containerId,
      container,
      least,
      call,
      daily,
    }
    const isSame = known !== undefined && followLine(known) === followLine(wanted)
    if (isSame && known.lostAt === undefined) {
      const shown = leastInWords(config, least)
      throw new UserError(
        `This channel follows ${known.container} already: ${shown}, with ${known.carrier.name}’s account. To change that, type /alert follow ${containerId} min warning, for instance.`,
      )
    }

    await work(wanted, known, listed)
  })
}

/**
 * The call of the follow from now on: as asked; if nothing was asked, as before. Undefined if it calls nobody.
 * @throws UserError for somebody who can’t be called in this channel.
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

/**
 * The person or group to call; undefined for “nobody”.
 * @throws UserError for a person who isn’t in the channel. There is no error if the follow calls this person already: a
 * follow can be taken over even if the person whom it calls has left.
 */
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

/**
 * The setting of the follow’s daily message: as asked, by the asker’s clock; if nothing was asked, as before. Undefined for
 * “off”.
 * @throws UserError for text that is no time.
 */
async function dailySetting(
  { slack, now }: House,
  { userId }: Person,
  ask: OpenAsk['daily'],
  before: Daily | undefined,
): Promise<Daily | undefined> {
  if (ask === undefined) return before
  if (/ off$/i.test(ask)) return undefined

  const zone = await slack.people.zoneOf(userId)
  const setting = readDaily(ask, zone, now())
  if (setting === undefined) throw new UserError(`I can’t read ${quoteLast(ask)} ${cantDaily}`)

  return setting
}

/**
 * The channel that somebody asks in.
 * @throws UserError if it is a direct message, if Bellhop isn’t in it, or if another organisation may read in it.
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
 * The follow whose button was pressed: in the follow’s channel, or anywhere by its carrier.
 * @throws UserError if anybody else pressed elsewhere, or if the follow is over.
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

export function isInChannel({ place: { channelId, isDirect } }: From): boolean {
  return channelId !== undefined && !isDirect
}

/** The follows of the channel that somebody asks in; outside a channel, the follows that their account reads for. */
export function followsFor({ storage }: House, from: From): Promise<readonly Follow[]> {
  const { workspaceId, userId: ownerId } = from.asker
  const { channelId: ref } = from.place
  const whose = isInChannel(from) && ref ? { ref } : { ownerId }
  return storage.follows.list({ workspaceId, ...whose })
}

/** *Get alerts at once*: shows the carrier a new address of the doorbell. The old address stops ringing. */
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

/**
 * Handles `POST /ring/<workspace>.<follow>.<secret>`. The answer is always the same, so it doesn’t tell whether the secret
 * is right. The body may name an alert and its place (a hint).
 */
export function ringing({ storage, poller, log }: House) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url = '' } = request
    const [, workspaceId = '', id = '', secret = ''] =
      /^\/ring\/(\w+)\.([\w-]+)\.([\w-]+)$/.exec(url) ?? []
    try {
      // A body that is too long, or breaks off, is ignored; the ring counts all the same.
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
