// Looks an alert up for somebody: by its key, by a link that holds none, or through a form; and where nothing comes of it,
// says how to go on.
import { z } from 'zod'
import { type Resumed, type WaitedFor, withToken } from '../account/connect-first.ts'
import { connectButtonFor } from '../account/links.ts'
import { renderConnectFirst } from '../account/render.ts'
import { MonitorError, UserError } from '../errors.ts'
import { endsAs } from '../log/request.ts'
import type { ActionRequest, Command, From, Request } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { Message } from '../slack/outbound/message.ts'
import {
  type AlertAsk,
  type LinkAsk,
  type Lookup,
  nearestTo,
  type OtherAsk,
  parseKey,
  wordsNear,
} from './input.ts'
import { type AlertLink, alertLinkSchema } from './link.ts'
import { webLink } from './render/card.ts'
import { lookupModal } from './render/look-up-form.ts'
import {
  noAlertMatches,
  noLinksThere,
  readAskAgain,
  renderNoAlert,
  renderOthersMatch,
  renderTryAgain,
  tokenSentence,
  tryAgainSentence,
} from './render/no-card.ts'
import type { AlertRoom } from './room.ts'
import { OwnToken, sayingWhenSlow, showWhereAsked } from './show.ts'

/** `/alert <key>`, wherever it is asked. `/alert <key> watch` begins in the room of watches instead. */
export function lookUp(room: AlertRoom, from: From, lookup: Omit<Lookup, 'isWatched'>): Promise<void> {
  const wanted = { ...lookup, isWatched: false }
  return orAskAgain(room, from, wanted, () =>
    withToken(room.account, from, waitingLookUp(wanted), async (token) => {
      await showWhereAsked(room, from, token, lookup)
    }),
  )
}

/** Looks up what somebody asked for by its key or by its link, wherever they asked. */
export function lookUpAsked(
  room: AlertRoom,
  from: From,
  ask: Lookup | LinkAsk,
  show: (lookup: Lookup) => Promise<void> = (lookup) => lookUp(room, from, lookup),
): Promise<void> {
  return 'link' in ask ? followLink(room, from, ask, show) : show(ask)
}

/** A look-up that waited for an account, by key or by link. */
export async function resumeLookUp(
  room: AlertRoom,
  from: From,
  { ask }: Resumed,
  show: (lookup: Lookup) => Promise<void>,
): Promise<void> {
  await lookUpAsked(room, from, waited.parse(ask), show)
}

const manner = { isPrivate: z.boolean(), isWatched: z.boolean().default(false) }
const waited = z.union([
  z.object({ ks: z.string(), ...manner }),
  z.object({ link: alertLinkSchema, ...manner }),
])

/** A look-up that waits for an account. */
export function waitingLookUp(lookup: Lookup | LinkAsk): WaitedFor {
  const { isPrivate, isWatched } = lookup
  const which = 'link' in lookup ? { link: lookup.link } : { ks: lookup.ks }
  const ask: z.infer<typeof waited> = { ...which, isPrivate, isWatched }
  return { feature: 'look-up', ks: 'ks' in which ? which.ks : undefined, ask }
}

/** `several`: opened in the same second, on the same asset, the gravest first. `off`: the service is not asked for lists. */
type Found =
  | { readonly kind: 'one'; readonly ks: string }
  | { readonly kind: 'several'; readonly keys: readonly [string, ...string[]] }
  | { readonly kind: 'none' | 'off' }

/**
 * Asks the service unless this person's token has shown it before.
 * @throws UserError when the link holds the token; MonitorError when the service does not give the asset's alerts.
 */
export async function findByLink(
  { monitor, knownLinks }: Pick<AlertRoom, 'monitor' | 'knownLinks'>,
  { workspaceId, userId }: SlackUser,
  token: string,
  link: AlertLink,
): Promise<Found> {
  // A link stands in the database, and a token must not.
  if (Object.values(link).some((part) => part?.includes(token))) throw new OwnToken()
  const owner = { workspaceId, userId }
  const known = await knownLinks.keyOf(owner, link)
  const found: Found =
    known === undefined ? await amongOpen(monitor, token, link) : { kind: 'one', ks: known }
  // What is used stays for longer.
  if (found.kind === 'one') await knownLinks.keep(owner, link, found.ks)
  return found
}

async function amongOpen(monitor: AlertRoom['monitor'], token: string, link: AlertLink): Promise<Found> {
  const answer = await monitor.openAlertsOf(token, link.asset)
  if (answer.kind !== 'listed') return { kind: answer.kind === 'off' ? 'off' : 'none' }
  const [first, ...others] = answer.alerts
    .filter(({ timestamp }) => timestamp === Number(link.timestamp))
    .toSorted((one, other) => one.lastSeverity - other.lastSeverity)
  if (first === undefined) return { kind: 'none' }
  if (others.length === 0) return { kind: 'one', ks: first.ks }
  return { kind: 'several', keys: [first.ks, ...others.map(({ ks }) => ks)] }
}

/** @param show - Shows the alert, once it is found. */
async function followLink(
  room: AlertRoom,
  from: From,
  { link, isPrivate, isWatched }: LinkAsk,
  show: (lookup: Lookup) => Promise<void>,
): Promise<void> {
  let found: Found | undefined
  try {
    await withToken(room.account, from, waitingLookUp({ link, isPrivate, isWatched }), async (token) => {
      const finding = findByLink(room, from.asker, token, link)
      found = await sayingWhenSlow(room, from, { ks: 'that link', answer: 'here' }, finding)
    })
  } catch (error) {
    if (error instanceof OwnToken) return refuseToken(room, from)
    throw error
  }
  switch (found?.kind) {
    case undefined:
      // They were asked to connect first.
      return
    case 'one':
      return show({ ks: found.ks, isPrivate, isWatched })
    case 'several': {
      const [ks, ...others] = found.keys
      await show({ ks, isPrivate, isWatched })
      return room.delivery.privately(from.place, renderOthersMatch(others))
    }
    case 'none':
      throw new UserError(noAlertMatches)
    case 'off':
      throw new UserError(noLinksThere)
    default:
      return found satisfies never
  }
}

/**
 * Does a look-up for somebody who waits for it. Where the service knows no such alert, they are told what they may have
 * meant; where it cannot answer, they can try again.
 * @throws What `work` throws otherwise.
 */
export async function orAskAgain(
  room: AlertRoom,
  from: From,
  lookup: Lookup,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof OwnToken) return refuseToken(room, from)
    const answer = error instanceof MonitorError ? await answerTo(room, from.asker, error, lookup) : undefined
    if (answer === undefined || !(error instanceof MonitorError)) throw error
    endsAs(`service-${error.code}`)
    await room.delivery.privately(from.place, answer)
  }
}

/** Undefined where neither another key nor another try can help. */
async function answerTo(
  room: AlertRoom,
  asker: SlackUser,
  { code }: MonitorError,
  lookup: Lookup,
): Promise<Message | undefined> {
  switch (code) {
    case 'not-found':
    case 'bad-request':
      return renderNoAlert(lookup.ks, code, await meantBy(room, asker, lookup))
    case 'busy':
    case 'unreachable':
      return renderTryAgain(tryAgainSentence(code), lookup)
    case 'refused':
    case 'forbidden':
    case 'malformed':
      return undefined
    default:
      return code satisfies never
  }
}

/**
 * What somebody may have meant by a key that there is not: a word of `/alert`, or a key that they have looked up
 * themselves lately. Of nobody else's look-ups anything is known here.
 */
async function meantBy(
  { recentKeys, log, settings }: Pick<AlertRoom, 'recentKeys' | 'log' | 'settings'>,
  { workspaceId, userId }: SlackUser,
  lookup: Lookup,
): Promise<readonly OtherAsk[]> {
  const seen = await recentKeys({ workspaceId, userId }).catch((error: unknown) => {
    log.warn({ err: error }, 'keys that somebody has looked up could not be read')
    return []
  })
  const keys = nearestTo(lookup.ks, [...new Set(seen)])
  return [
    ...keys.map((ks) => ({ kind: 'look-up' as const, ...lookup, ks })),
    ...wordsNear(lookup.ks, settings.canAct),
  ]
}

/** Somebody who sees nothing happen presses once more, and means the same. */
const pressedAgainMs = 60_000

/** One of these buttons was pressed: runs what it asks for, once, and takes away the message that it is in. */
export async function askAgain(
  { outbound, once }: Pick<AlertRoom, 'outbound' | 'once'>,
  command: Command<AlertAsk>,
  pressed: ActionRequest,
): Promise<void> {
  const other = readAskAgain(pressed.value)
  if (other === undefined) return
  const { asker, place, triggerId } = pressed
  const key = `again ${asker.userId} ${place.channelId} ${place.pressedTs}`
  if (!(await once.claim(asker.workspaceId, key, pressedAgainMs))) return
  const text = other.kind === 'words' ? other.line : ''
  const ask = other.kind === 'words' ? command.parse(other.line) : other
  try {
    await command.run({ ...pressed, text, id: triggerId, triggerId: triggerId || undefined }, ask)
  } finally {
    // Whatever has come of it is said in another message.
    const { retract } = outbound.in(asker.workspaceId)
    if (place.responseUrl !== undefined) await retract(place.responseUrl).catch(() => undefined)
  }
}

/** Whoever wants their token forgotten need not wait for it. @param value - Of the button. */
export function isToDisconnect(value: string): boolean {
  return value === 'line disconnect'
}

/** Says so to whoever typed it, with the way to where a token belongs. */
export async function refuseToken(
  { account, delivery }: Pick<AlertRoom, 'account' | 'delivery'>,
  { asker, place }: From,
): Promise<void> {
  endsAs('user-error')
  // Only what was typed as a command, or into a form, brings one; the rest stands in the conversation.
  const isWritten = place.responseUrl === undefined
  const where = isWritten ? (place.isDirect ? 'direct' : 'channel') : 'command'
  const button = await connectButtonFor(account.page, asker, '')
  await delivery.privately(place, renderConnectFirst(button, tokenSentence(where)))
}

/** @param ks - The alert that the form begins with. */
export async function openLookUpForm(
  { settings, outbound }: Pick<AlertRoom, 'settings' | 'outbound'>,
  { asker, triggerId }: Pick<Request, 'asker' | 'triggerId'>,
  ks?: string,
): Promise<void> {
  const typed = ks === undefined ? undefined : wordsFor(ks, settings)
  const form = lookupModal({ takesLinks: settings.alertUrl !== undefined, typed })
  await outbound.in(asker.workspaceId).openView(triggerId, form)
}

/** The key as the field reads it: its link, where marks around it would be taken for somebody's own. */
function wordsFor(ks: string, settings: AlertRoom['settings']): string {
  const read = parseKey(ks, settings.alertUrl)
  const isRead = read.kind === 'look-up' && 'ks' in read && read.ks === ks
  return isRead ? ks : (webLink(settings, ks, undefined) ?? ks)
}
