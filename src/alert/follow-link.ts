// Finds the alert that a link without a key leads to: among the open alerts of its asset, with the token of whoever
// pasted it, and remembers it for them alone.
import { type Resumed, withToken } from '../account/connect-first.ts'
import { UserError } from '../errors.ts'
import type { OpenAlert } from '../monitor/client.ts'
import type { From } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import { OwnToken, refuseToken } from './asking/token.ts'
import type { LinkAsk, Lookup } from './input.ts'
import type { AlertLink } from './link.ts'
import { lookUp, readWaitingLookUp, sayingWhenSlow, waitingLookUp } from './look-up.ts'
import { noAlertMatches, noLinksThere, renderLinkChoice } from './render/no-card.ts'
import type { AlertRoom } from './room.ts'

/** `several`: opened in the same second, on the same asset. `off`: the service is not asked for lists. */
type Found =
  | { readonly kind: 'one'; readonly ks: string }
  | { readonly kind: 'several'; readonly alerts: readonly OpenAlert[] }
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
  const [first, ...others] = answer.alerts.filter(({ timestamp }) => timestamp === Number(link.timestamp))
  if (first === undefined) return { kind: 'none' }
  return others.length === 0 ? { kind: 'one', ks: first.ks } : { kind: 'several', alerts: [first, ...others] }
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
    case 'several':
      return offerChoice(room, from, found.alerts, { isPrivate, isWatched })
    case 'none':
      throw new UserError(noAlertMatches)
    case 'off':
      throw new UserError(noLinksThere)
    default:
      return found satisfies never
  }
}

/** For the asker alone, whatever they asked for: what they did not mean is nobody's business. */
async function offerChoice(
  { audit, delivery, settings }: AlertRoom,
  { asker, place }: From,
  alerts: readonly OpenAlert[],
  manner: Omit<Lookup, 'ks'>,
): Promise<void> {
  const { workspaceId, userId } = asker
  for (const { ks } of alerts) audit.lookedUp({ workspaceId, userId, ks, outcome: 'done' })
  await delivery.privately(place, renderLinkChoice(settings, alerts, manner))
}

/** A look-up that waited for an account, by key or by link. */
export async function resumeLookUp(
  room: AlertRoom,
  from: From,
  resumed: Resumed,
  show: (lookup: Lookup) => Promise<void>,
): Promise<void> {
  await lookUpAsked(room, from, readWaitingLookUp(resumed), show)
}
