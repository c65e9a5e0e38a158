// Looks an alert up for somebody: by its key, by a link that holds none, or through a form; and where nothing comes of it,
// says how to go on.
import { type Resumed, withToken } from '../account/connect-first.ts'
import { connectButtonFor } from '../account/links.ts'
import { renderConnectFirst } from '../account/render.ts'
import { MonitorError, UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { lookUpWatched } from '../live/watching.ts'
import { endsAs } from '../log/request.ts'
import type { Monitor } from '../monitor/client.ts'
import { gravestFirst } from '../monitor/schema.ts'
import { monitorSentence } from '../monitor/words.ts'
import type { ActionRequest, CommandRequest, From, Request } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import { renderTextBack } from '../slack/outbound/message.ts'
import type { ReadLine } from '../slack/routes.ts'
import { escapeText } from '../slack/text/mrkdwn.ts'
import { nearestTo } from '../slack/text/nearest.ts'
import { type LinkAsk, type Lookup, type OtherAsk, parseKey, wordsNear } from './input.ts'
import type { AlertLink } from './link.ts'
import { openNow } from './open.ts'
import { OwnToken, sayingWhenSlow } from './read.ts'
import { webLink } from './render/card.ts'
import { renderFormOffer } from './render/help.ts'
import { lookupModal } from './render/look-up-form.ts'
import {
  noAlertMatches,
  noLinksThere,
  onlyReads,
  renderNoAlert,
  renderOthersMatch,
  renderTryAgain,
  tokenSentences,
} from './render/no-card.ts'
import { showWhereAsked, waitedLookUp, waitingLookUp } from './show.ts'

/**
 * Looks up what somebody asked for by its key or by its link, wherever they asked. Where the service knows no such alert,
 * they are told what they may have meant; where it cannot answer, they can try again.
 */
export async function lookUp(house: House, from: From, ask: Lookup | LinkAsk): Promise<void> {
  try {
    await ('link' in ask ? followLink(house, from, ask) : lookUpKey(house, from, ask))
  } catch (error) {
    if (error instanceof OwnToken) return refuseToken(house, from)
    if (!(error instanceof MonitorError) || 'link' in ask) throw error
    const { code } = error
    const isNone = code === 'not-found' || code === 'bad-request'
    if (!isNone && code !== 'busy' && code !== 'unreachable') throw error
    endsAs(`service-${code}`)
    const answer = isNone
      ? renderNoAlert(ask.ks, code, await meantBy(house, from.asker, ask))
      : renderTryAgain(monitorSentence(code), ask)
    await house.slack.privately(from.place, answer)
  }
}

function lookUpKey(house: House, from: From, ask: Lookup): Promise<void> {
  if (ask.isWatched) return lookUpWatched(house, from, ask)
  return withToken(house, from, waitingLookUp(ask), async (token) => {
    await showWhereAsked(house, from, token, ask)
  })
}

/** A look-up that waited for an account, by key or by link. */
export async function resumeLookUp(house: House, from: From, { ask }: Resumed): Promise<void> {
  await lookUp(house, from, waitedLookUp.parse(ask))
}

async function followLink(house: House, from: From, ask: LinkAsk): Promise<void> {
  const { link, isPrivate, isWatched } = ask
  let keys: readonly string[] = []
  await withToken(house, from, waitingLookUp(ask), async (token) => {
    keys = await sayingWhenSlow(house, from, 'that link', findByLink(house, from.asker, token, link))
  })
  const [ks, ...others] = keys
  // They were asked to connect first.
  if (ks === undefined) return
  await lookUp(house, from, { ks, isPrivate, isWatched })
  if (others.length > 0) await house.slack.privately(from.place, renderOthersMatch(others))
}

/**
 * Keys of the alerts that a link leads to: several where they opened in the same second, on the same asset, the gravest
 * first. Asks the service unless this person's token has shown it before.
 * @throws UserError where there is none, or the link holds the token; MonitorError when the service does not give the
 * asset's alerts.
 */
export async function findByLink(
  { monitor, storage }: House,
  { workspaceId, userId }: SlackUser,
  token: string,
  link: AlertLink,
): Promise<readonly [string, ...string[]]> {
  // A link stands in the database, and a token must not.
  if (Object.values(link).some((part) => part?.includes(token))) throw new OwnToken()
  const owner = { workspaceId, userId }
  const known = await storage.alertLinks.keyOf(owner, link)
  const [ks, ...others] = known === undefined ? await amongOpen(monitor, token, link) : [known]
  if (ks === undefined) throw new UserError(noAlertMatches)
  // What is used stays for longer.
  if (others.length === 0) await storage.alertLinks.keep(owner, link, ks)
  return [ks, ...others]
}

async function amongOpen(monitor: Monitor, token: string, link: AlertLink): Promise<readonly string[]> {
  const answer = await monitor.openAlertsOf(token, link.asset)
  if (answer.kind === 'off') throw new UserError(noLinksThere)
  if (answer.kind !== 'listed') return []
  const opened = answer.alerts.filter(({ timestamp }) => timestamp === Number(link.timestamp))
  return opened.toSorted(gravestFirst).map(({ ks }) => ks)
}

/** Of somebody's own look-ups, so many are compared with a key that there is not. */
const mostKeys = 100

/**
 * What somebody may have meant by a key that there is not: a word of `/alert`, or a key that they have looked up
 * themselves lately. Of nobody else's look-ups anything is known here.
 */
async function meantBy(
  { storage, log, config }: House,
  { workspaceId, userId }: SlackUser,
  lookup: Lookup,
): Promise<readonly OtherAsk[]> {
  const looked = storage.cards.list({ workspaceId, ownerId: userId, newest: mostKeys })
  const seen = await looked.catch((error: unknown) => {
    log.warn({ err: error }, 'keys that somebody has looked up could not be read')
    return []
  })
  const keys = nearestTo(lookup.ks, [...new Set(seen.map(({ ks }) => ks))])
  return [
    ...keys.map((ks) => ({ kind: 'look-up' as const, ...lookup, ks })),
    ...wordsNear(lookup.ks, config.canAct),
  ]
}

/** Somebody who sees nothing happen presses once more, and means the same. */
const pressedAgainMs = 60_000

/** One of these buttons was pressed: runs what it asks for, once, and takes away the message that it is in. */
export async function askAgain(house: House, pressed: ActionRequest, readLine: ReadLine): Promise<void> {
  const { asker, place, triggerId, value } = pressed
  const key = `again ${asker.userId} ${place.channelId} ${place.pressedTs}`
  if (!(await house.storage.once.claim(asker.workspaceId, key, pressedAgainMs))) return
  // Nothing in it is believed: anybody could type the same.
  const text = escapeText(value)
  try {
    await readLine(house, text).run(house, { ...pressed, text, id: triggerId })
  } finally {
    // Whatever has come of it is said in another message.
    if (place.responseUrl !== undefined) await house.slack.retract(place.responseUrl).catch(() => undefined)
  }
}

/** Says so to whoever typed it, with the way to where a token belongs. */
export async function refuseToken(house: House, { asker, place }: From): Promise<void> {
  endsAs('user-error')
  // Only what was typed as a command, or into a form, brings one; the rest stands in the conversation.
  const isWritten = place.responseUrl === undefined
  const where = isWritten ? (place.isDirect ? 'direct' : 'channel') : 'command'
  const button = await connectButtonFor(house, asker, '')
  await house.slack.privately(place, renderConnectFirst(button, tokenSentences[where]))
}

/** Where Bellhop changes nothing at the service: whoever would comment, close or assign. Their text comes back. */
export async function refuseToAct(
  house: House,
  { asker, answer }: CommandRequest,
  message: string,
): Promise<void> {
  const token = await house.tokens.find(asker)
  endsAs('user-error')
  const holdsToken = token !== undefined && message.includes(token)
  await answer(renderTextBack(onlyReads, holdsToken ? '' : message))
}

/** @param ks - The alert that the form begins with. */
export async function openLookUpForm(
  house: House,
  { asker, triggerId }: Pick<Request, 'asker' | 'triggerId'>,
  ks?: string,
): Promise<void> {
  const { config, slack } = house
  const typed = ks === undefined ? undefined : wordsFor(ks, config)
  const open = await openNow(house, asker)
  await slack.openView(triggerId, lookupModal(config, { typed, open }))
}

/** `/alert` alone: where it was written to the bot, no form can be opened by itself. */
export async function openOrOfferForm(
  house: House,
  { asker, triggerId, answer }: CommandRequest,
): Promise<void> {
  await (triggerId === undefined ? answer(renderFormOffer()) : openLookUpForm(house, { asker, triggerId }))
}

/** The key as the field reads it: its link, where marks around it would be taken for somebody's own. */
function wordsFor(ks: string, config: House['config']): string {
  const read = parseKey(ks, config.alertUrl)
  const isRead = read.kind === 'look-up' && 'ks' in read && read.ks === ks
  return isRead ? ks : (webLink(config, ks, undefined) ?? ks)
}
