// Gives, changes and takes away access: asks the person who wants it to confirm, if needed; stores a request, sends it
// once and tells the outcome. A change or a removal begins with a look at who is on the container.

import { askToConnect, type WaitedFor, withToken } from '../account/connect-first.ts'
import { isKnownToLack } from '../account/rights.ts'
import { endsOf } from '../ends/states.ts'
import { MonitorError, UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { noteOutcome } from '../log/log.ts'
import { plainAddress } from '../monitor/schema.ts'
import { containerInWords } from '../names/containers.ts'
import { learn } from '../names/names.ts'
import {
  beginStep,
  giveUpStep,
  type NewRequest,
  type Reason,
  type Request,
} from '../send/request.ts'
import { keep, keepBegun, sendBegun } from '../send/send.ts'
import { holding, tell } from '../send/telling.ts'
import { knownBy, type Whom } from '../send/whom.ts'
import type { ActionRequest, From } from '../slack/guard/requests.ts'
import { say } from '../slack/outbound/message.ts'
import type { SlackUser } from '../slack/person.ts'
import { inList } from '../slack/text/mrkdwn.ts'
import { durationWords, hourMs } from '../work/durations.ts'
import { whenSlow } from '../work/under-way.ts'
import {
  type Access,
  accessOf,
  hasCode,
  haveAddresses,
  isGranted,
  nameOf,
  type Result,
  resultsOf,
  type Sought,
  type Terms,
  wantsToken,
  writesOf,
} from './access.ts'
import { momentOf, type TypedEnds } from './input/until.ts'
import { byTodaysRules, endsWithin, mayLastForGood } from './lasting.ts'
import { asListed, listFor } from './people.ts'
import {
  findOwn,
  findSent,
  type ReceiptTo,
  showReceipt,
  tellThreadAndAsker,
  throwIfNeverSent,
} from './receipts.ts'
import { endsAnyway } from './render/lasting.ts'
import {
  askApprovalButton,
  inVain,
  originWords,
  renderColleagueNeeded,
  renderQuestion,
} from './render/receipt.ts'
import { cautions, warningWords } from './render/words.ts'
import { type Flag, inOrder } from './roles.ts'
import { warningsFor } from './warnings.ts'
import { withSeen } from './write.ts'

const confirmableMs = hourMs

const waitsFor = (grantId: string): WaitedFor => ({ feature: 'grant', ask: grantId })

export interface WantedGrant {
  readonly id: string
  readonly access: Access
  /** The alert that the access is for, if any. With `isForAll`, the outcome is posted in the alert’s thread. */
  readonly reason?: Reason | undefined
  /** The earlier request that this one follows from: this one takes over its reason and its channel. */
  readonly follows?: Request | undefined
  /** Remarks that the question shows, a line each, raw. */
  readonly notes?: readonly string[]
}

/** The request to store for a wanted access. If it follows from an earlier request, it keeps that one’s reason and channel. */
function newRequest(house: House, { asker, place }: From, wanted: WantedGrant): NewRequest {
  const { id, access, reason, follows } = wanted
  const { channelId: placeId, threadTs, isDirect } = place
  const { channelId, about } = follows ?? {
    channelId: isDirect ? undefined : placeId,
    about: reason && { ...reason, channelId: placeId, threadTs },
  }

  const needsApproval = flagsToApprove(house, access).length > 0

  return {
    id,
    sender: asker,
    channelId,
    about,
    writes: writesOf(access),
    needsApproval,
  }
}

/**
 * Checks, right before access is sent, whether one of its recipients has left Slack. They are looked up by the Slack ids
 * that were known when it was asked for: Slack finds nobody by the address of somebody who has left.
 * @returns Why the access isn’t sent, raw; undefined if nobody is known to have left.
 */
export async function whoLeft({ slack }: House, request: Request): Promise<string | undefined> {
  const { kind, permissions, member, people } = accessOf(request)
  const namedIds = people.flatMap(({ slackId }) => slackId ?? [])
  // Taking from somebody who has left is just what is wanted.
  const isGiving = kind === 'add-user' || permissions.length > 0 || member
  const ids = isGiving ? (request.approval?.barred.recipientIds ?? namedIds) : []
  const found = await Promise.all(ids.map(slack.people.whoIs))
  const left = found.flatMap((one) => (one?.isDeactivated ? [one.shownName] : []))
  if (left.length === 0) return undefined

  return `Nothing was sent: ${inList(left)} left Slack after this was asked for.`
}

function flagsToApprove({ config }: House, { permissions }: Access): readonly Flag[] {
  return permissions.filter((flag) => config.approval.flags.includes(flag))
}

/**
 * Finds the addresses of people who were mentioned.
 * @param grantees - Addresses, and people of this Slack as `@U1`.
 * @returns `people`: nobody twice. `origins`: whose Slack profile an address is from, a line each, raw. `problems`: why
 * somebody can’t be given access, raw. @throws SlackError
 */
export async function findRecipients({ slack }: House, grantees: readonly string[]) {
  const people = new Map<string, Whom>()
  const origins: string[] = []
  const problems: string[] = []

  for (const grantee of grantees) {
    const isMention = grantee.startsWith('@')
    try {
      const profile = isMention ? await slack.people.profileOf(grantee.slice(1)) : undefined
      if (profile) origins.push(originWords(profile))

      const email = profile?.email ?? grantee
      people.set(plainAddress(email), { email, slackId: profile?.userId })
    } catch (error) {
      if (!(error instanceof UserError)) throw error

      problems.push(error.message)
    }
  }

  return { people: [...people.values()], origins, problems }
}

/**
 * When access ends, as typed in somebody’s time zone.
 * @throws UserError for a moment that doesn’t exist, has passed, or is more than 90 days ahead.
 */
export async function endsFor(
  { slack, now }: House,
  { userId }: SlackUser,
  typed: TypedEnds | undefined,
) {
  if (typed === undefined || !('until' in typed)) return typed

  const zone = await slack.people.zoneOf(userId)
  const at = momentOf(typed.until, zone, now())
  if (at === undefined)
    throw new UserError(
      `${typed.until} has passed, or is more than 90 days ahead. Nothing was sent.`,
    )

  return { at }
}

/** Sends a grant that needs no question. Otherwise asks first or, if a colleague has to approve it, offers to ask one. */
export async function askOrSend(house: House, to: ReceiptTo, wanted: WantedGrant): Promise<void> {
  const { replaces = false } = to
  const { notes = [] } = wanted
  const { access, limits } = withinLimits(house, wanted.access)

  const { roles } = house.config
  const reasons = [...notes, ...limits, ...cautions(access, roles)]
  const request = newRequest(house, to, { ...wanted, access })
  // A plain grant, or the withdrawal of an invitation, needs no second press.
  const isAskedAbout =
    reasons.length > 0 || !(access.kind === 'add-user' || access.kind === 'uninvite')

  // A grant with nothing to ask about is sent: the service itself says whether the asker may give it.
  if (!request.needsApproval && !isAskedAbout) return keepAndSend(house, to, request)

  const kept = await keep(house, request)
  // A second press may find the request sent already.
  if (kept.state !== 'asked') return throwIfNeverSent(kept)

  const container = containerInWords(house, to.asker, access.containerId)
  const view = { roles, container }
  // Somebody who can’t add people sees no warnings, just the way to ask a colleague.
  const lacks = await whyColleague(house, to.asker, access)
  if (lacks && !haveAddresses(access)) throw new UserError(`${lacks} ${inVain.hidden}`)

  const question = lacks
    ? renderColleagueNeeded(kept.id, access, lacks, view)
    : renderQuestion(kept.id, access, reasons, warningWords(access, 'your'), view)

  await house.slack.privately(to.place, question, { replaces })
  if (lacks) noteOutcome('needs-approval')
}

/** A change or a removal that somebody wants. Can be kept as JSON while they connect an account. */
export interface ChangeAsk extends Omit<WantedGrant, 'access'> {
  readonly terms: Terms
  readonly sought: readonly Sought[]
}

/** Asks about a change or a removal. @throws UserError, saying why, if nothing can be done. */
export function askToChange(house: House, to: ReceiptTo, ask: ChangeAsk): Promise<void> {
  const { terms, sought, notes: read = [], ...wanted } = ask
  return withToken(house, to, { feature: 'grant-change', ask }, async (token) => {
    const { asker } = to
    const list = await listFor(house, { owner: asker, token }, terms.containerId)
    const where = containerInWords(house, asker, terms.containerId)

    const { access, others } = asListed(terms, list, sought)
    const [first] = access?.people ?? sought
    const { kept = [], ending = [] } = await endingOf(house, asker, terms, first)
    const reasons = ['unseen', 'twice', 'inherited'] as const
    const notes = reasons.flatMap((why) =>
      (others[why] ?? []).map((one) => inVain[why](nameOf(one), where, terms.containerId)),
    )

    if (access === undefined && notes.length === 0 && first !== undefined) {
      notes.push(inVain.hasAll(nameOf(first), where))
      if (kept.length + ending.length > 0) notes.push(endsAnyway)
    }

    if (access === undefined) throw new UserError(notes.join(' '))

    const isGiving = access.permissions.length + kept.length > 0 || access.member === true
    const judged = {
      ...access,
      ends: isGiving ? access.ends : undefined,
      takesOver: kept,
      stillEnds: ending,
      warnings: await warningsFor(house, asker, list, access),
    }

    await askOrSend(house, to, { ...wanted, access: judged, notes: [...read, ...notes] })
  })
}

/**
 * Flags that a change gives, and that its person already has for a time. `kept`: the change decides anew when these
 * flags end. `ending`: their end stays as it is, as the settings give these flags only for a time, or only with
 * approval.
 */
async function endingOf(
  house: House,
  { workspaceId }: SlackUser,
  { containerId, permissions, authProvider }: Terms,
  whom: Sought | undefined,
) {
  if (whom === undefined || permissions.length === 0) return {}

  const ends = await endsOf(house, workspaceId, containerId, knownBy(whom, authProvider))
  const running = ends.flatMap(({ flags }) => flags)
  const held = permissions.filter((flag) => running.includes(flag))

  return Object.groupBy(held, (flag) => (mayLastForGood(house.config, flag) ? 'kept' : 'ending'))
}

/**
 * Shortens an access to the longest time that the settings allow for its flags.
 * @returns `limits`: a sentence for the asker if the access was shortened, raw.
 * @throws UserError for an invitation that would have to be shortened: it can’t end by itself.
 */
function withinLimits({ config, now }: House, access: Access) {
  const { ends: typed, kind, permissions } = access
  const ends = endsWithin(config, permissions, typed, now())
  if (ends === typed || !ends || !('forMs' in ends)) return { access, limits: [] }

  const flags = permissions.filter((flag) => config.timedFlags[flag] !== undefined).join(', ')
  if (kind === 'invite')
    throw new UserError(`Only given for a time here: ${flags}. An invitation can’t end by itself.`)

  const limits = [`${flags}: only given for ${durationWords(ends.forMs)} at most.`]

  return { access: { ...access, ends }, limits }
}

/** Why a colleague has to approve: a flag needs it, or the token lacks CONTAINER_ACCESS. Undefined if none has to. */
async function whyColleague(
  house: House,
  asker: SlackUser,
  access: Access,
): Promise<string | undefined> {
  const flags = flagsToApprove(house, access)
  if (flags.length > 0) return `A colleague has to approve ${flags.join(', ')} first.`

  return (await isKnownToLack(house, asker, access.containerId, 'CONTAINER_ACCESS'))
    ? 'Your token lacks CONTAINER_ACCESS there.'
    : undefined
}

/** Sends a stored request and tells its outcome. @throws UserError if it can no longer be sent. */
export async function sendKept(house: House, to: ReceiptTo, id: string): Promise<void> {
  const { asker } = to
  const send = async (token: string) => {
    const kept = await findOwn(house, asker, id)
    const left = kept?.state === 'asked' && (await whoLeft(house, kept))
    if (kept && left) {
      await house.storage.requests.change(kept, giveUpStep(asker, 'cancelled'))
      return house.slack.privately(to.place, say(left), { replaces: to.replaces ?? false })
    }

    const step = beginStep({
      sender: asker,
      askedAfter: house.now() - confirmableMs,
      judge: (write, now) => byTodaysRules(house.config, write, now),
      // APPROVAL_FLAGS may have changed since it was stored: a request that needs approval by now isn’t sent.
      passes: (request) => flagsToApprove(house, accessOf(request)).length === 0,
    })

    const begun = await house.storage.requests.change({ workspaceId: asker.workspaceId, id }, step)
    if (begun === undefined) return throwIfNeverSent(await findOwn(house, asker, id))

    await sendAndTell(house, to, token, begun)
  }

  await withToken(house, to, waitsFor(id), send, { beside: askApprovalButton(id) })
}

export function sendConfirmed(house: House, pressed: ActionRequest): Promise<void> {
  return sendKept(house, { ...pressed, replaces: true }, pressed.value)
}

export async function cancelGrant(house: House, pressed: ActionRequest): Promise<void> {
  const { asker, place, value: id } = pressed
  const key = { workspaceId: asker.workspaceId, id }
  const cancelled = await house.storage.requests.change(key, giveUpStep(asker, 'cancelled'))
  if (cancelled !== undefined)
    return house.slack.privately(place, say('Cancelled. Nothing was sent.'), { replaces: true })

  const kept = await findSent(house, pressed)
  if (kept !== undefined) await showReceipt(house, pressed, kept)
}

/** Stores and begins a request in one step, so that its asker hears the outcome even if this process dies. */
async function keepAndSend(house: House, to: ReceiptTo, wanted: NewRequest): Promise<void> {
  const token = await house.tokens.find(to.asker)
  if (token !== undefined) {
    const begun = await keepBegun(house, wanted)
    if (begun !== undefined) return sendAndTell(house, to, token, begun)
  }

  // The request could not begin: the asker has no account, or a request with this id was stored before.
  await keep(house, wanted)
  await sendKept(house, to, wanted.id)
}

/** Sends a request that has begun, and tells its outcome, in steps 1 to 4. */
async function sendAndTell(
  house: House,
  to: ReceiptTo,
  token: string,
  begun: Request,
): Promise<void> {
  const { asker, place, replaces = false } = to
  // Best effort: the outcome comes anyway.
  const saySending = () =>
    house.slack.privately(place, say('Sending…'), { replaces }).catch(() => undefined)
  await holding(house, [begun], async () => {
    const sending = sendBegun(house, token, begun)
    // A message whose button was pressed is replaced at once, so that nobody presses it again.
    const sent = await whenSlow(sending, replaces ? 0 : house.slowMs, saySending)
    const { request: kept, isStillHeld, forSender } = sent
    if (!isStillHeld) return

    // 1. What explains a refusal is read before anything is told, with the token at hand.
    const access = accessOf(kept)
    const results = await withSeen(house, token, kept, resultsOf(kept, forSender))
    // 2. Two outcomes are told as a question: a refused token asks for another token; changed access is shown again.
    const isForToken = wantsToken(results)
    if (isForToken) {
      // Stores a new request for the same access. This request is sent once the asker has connected another token.
      const again = newRequest(house, to, { id: `${kept.id}:again`, access, follows: kept })
      await keep(house, again)
      await askToConnect(house, to, waitsFor(again.id), 'refused', { replaces })
    }

    const isAnswered = isForToken || (await askAnew(house, to, kept, results))
    // 3. The outcome: once it is told, no other process tells it.
    await tell(
      house,
      [kept],
      isAnswered ? [] : await tellThreadAndAsker(house, to, kept, results),
      'at_once',
    )

    if (!results.some(isGranted)) return

    // 4. The container’s name, in the background: later messages then know it.
    const learning = () => learn(house, { owner: asker, token }, access.containerId, 'name')
    void house.slack.work.run(learning).catch(() => undefined)
  })
}

/**
 * Asks the asker again, if nothing was sent because each person’s access had changed since the asker saw it. The new
 * question shows the access as it is now.
 * @returns True if it asked. False if somebody has another outcome, or nothing is left to ask: then a receipt is due.
 */
async function askAnew(
  house: House,
  to: ReceiptTo,
  kept: Request,
  results: readonly Result[],
): Promise<boolean> {
  if (!results.every((one) => hasCode([one], 'changed'))) return false

  const { people, ...terms } = accessOf(kept)
  const { permissions, takesOver = [], stillEnds = [] } = terms
  const named = inOrder([...permissions, ...takesOver, ...stillEnds])
  const notes = ['Nothing was sent: somebody has changed this meanwhile. This is how it is now.']
  try {
    await askToChange(house, to, {
      id: `${kept.id}:now`,
      terms: { ...terms, permissions: named },
      sought: people,
      follows: kept,
      notes,
    })
  } catch (error) {
    if (error instanceof UserError || error instanceof MonitorError) return false

    throw error
  }

  return true
}
