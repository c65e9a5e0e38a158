// Looks up an alert by key, by a link without a key, or through a form; if that fails, says what to do instead.
import { withToken } from '../account/connect-first.ts'
import { renderConnectFirst } from '../account/render.ts'
import { MonitorError, UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { watchThere } from '../live/watching.ts'
import { noteOutcome } from '../log/log.ts'
import { placesFoundTotal } from '../metrics/metrics.ts'
import { monitorSentences } from '../monitor/failures.ts'
import {
  type CommandRequest,
  type From,
  type Interaction,
  readPrivateMetadata,
  type ShortcutRequest,
  type Submission,
} from '../slack/guard/requests.ts'
import { keptPlace, keptPlaceSchema } from '../slack/outbound/delivery.ts'
import { sayingWhenSlow } from '../slack/outbound/slow.ts'
import type { Account, SlackUser } from '../slack/person.ts'
import { nearestTo } from '../slack/text/typed.ts'
import { cardTheySee } from './cards.ts'
import {
  type KeyAsk,
  type LinkAsk,
  type Lookup,
  lineFor,
  lookUpFor,
  type Meant,
  parseKey,
  tokenForKey,
  type Which,
  wordNear,
} from './input.ts'
import { mentionedIn } from './keys-in-message.ts'
import { type AlertLink, looksLikeLink } from './link.ts'
import { openNow, shortList } from './open.ts'
import {
  choiceInput,
  keyInput,
  lookupInThread,
  lookupModal,
  noAlertMatches,
  noLists,
  noWayThere,
  postToInput,
  renderLookUpOffer,
  renderNoAlert,
  renderSeveral,
  renderStillAsking,
  renderTryAgain,
} from './render/look-up.ts'
import type { ShortList } from './render/open-list.ts'
import { OwnToken, showWhereAsked } from './show.ts'

/**
 * Shows the alert. Suggests another if the service knows no such alert; offers to try again if the service can’t answer.
 */
export async function lookUp(house: House, from: From, ask: Lookup | LinkAsk): Promise<void> {
  const { isPrivate, isWatched } = ask
  let ks = 'ks' in ask ? ask.ks : undefined
  try {
    await withToken(house, from, { feature: 'look-up', ask }, async (token) => {
      const finding = findAlert(house, { owner: from.asker, token }, ask)
      const slow = renderStillAsking('that link')
      const found = await sayingWhenSlow(house, from.place, slow, finding)
      if ('several' in found)
        return house.slack.privately(from.place, renderSeveral(house.config, found.several))

      ks = found.ks
      await (isWatched ? watchThere : showWhereAsked)(house, from, token, { ks, isPrivate })
    })
  } catch (error) {
    if (error instanceof OwnToken) return refuseToken(house, from)
    if (!(error instanceof MonitorError) || !ks) throw error

    const { code } = error
    const isNone = code === 'not-found' || code === 'bad-request'
    if (!isNone && code !== 'busy' && code !== 'unreachable') throw error

    noteOutcome(`service-${code}`)
    const lookup = { ks, isPrivate, isWatched }
    const answer = isNone
      ? renderNoAlert(ks, await meantBy(house, from.asker, lookup))
      : renderTryAgain(monitorSentences[code], lookup)
    await house.slack.privately(from.place, answer)
  }
}

/**
 * Finds the key of the alert that a link means; several alerts if they opened in the same second on the same asset. The
 * service is asked if this person’s token hasn’t shown the key before.
 * @throws UserError if no alert fits the link, or the link holds the token; MonitorError.
 */
export async function findAlert(
  house: House,
  { owner, token }: Account,
  which: Which,
): Promise<{ readonly ks: string } | { readonly several: ShortList }> {
  if ('ks' in which) return which

  const { link } = which
  const { alertLinks, places } = house.storage
  // The database keeps links, and must not keep tokens.
  if (link.item?.includes(token)) throw new OwnToken()

  const known = await alertLinks.keyOf(owner, link)
  const several = known === undefined ? await amongOpen(house, token, link) : []
  if (several.length > 1) return { several: shortList(house, owner, link.container ?? 0, several) }

  const ks = known ?? several[0]?.ks
  if (!ks) throw new UserError(noAlertMatches)
  // Links in use are kept for longer.
  await alertLinks.keep(owner, link, ks)
  if (!known) {
    await places.keep(owner.workspaceId, ks, link)
    placesFoundTotal.inc({ source: 'link' })
  }

  return { ks }
}

async function amongOpen({ monitor }: House, token: string, link: AlertLink) {
  const answer = await monitor.openAlertsOf(token, String(link.asset))
  if (answer.kind === 'off') throw new UserError(noLists)
  if (answer.kind !== 'listed') return []

  return answer.alerts.filter(({ timestamp }) => timestamp === link.timestamp)
}

/** How many keys are compared with an unknown one. */
const mostKeys = 100

/** Suggests a key that this person has looked up (nobody else’s is shown), or else a word of `/alert`. */
export async function meantBy(
  { storage, config }: House,
  { workspaceId, userId }: SlackUser,
  lookup: Lookup,
): Promise<Meant | undefined> {
  const seen = await storage.cards.list({ workspaceId, ownerId: userId, newest: mostKeys })
  const [ks] = nearestTo(lookup.ks, [...new Set(seen.map((card) => card.ks))])
  if (!ks) return wordNear(lookup.ks, config.hasAllOperations)

  return { verb: 'Look up', name: ks, line: lineFor({ ...lookup, ks }) }
}

/** Refuses a token that was typed in place of a key, and shows where it belongs. */
export async function refuseToken(house: House, { place }: From): Promise<void> {
  noteOutcome('user-error')
  // A request without a response_url is a message, which others in the conversation can read; nobody else sees a command
  // or a form.
  const isWritten = !place.responseUrl
  const reason = `${isWritten ? 'Delete your message. ' : ''}${tokenForKey}`
  await house.slack.privately(place, renderConnectFirst(reason))
}

/** @param ks - Key that the form begins with. */
export async function openLookUpForm(
  house: House,
  { asker, triggerId }: Pick<Interaction, 'asker' | 'triggerId'>,
  ks?: string,
): Promise<void> {
  const open = await openNow(house, asker)
  await house.slack.openView(triggerId, lookupModal(house.config, ks, open))
}

/** Opens the form for `/alert` alone. Written to the bot, it gets a button: Slack lets no form open by itself then. */
export function openOrOfferForm(
  house: House,
  { asker, triggerId, answer }: CommandRequest,
): Promise<void> {
  return !triggerId ? answer(renderLookUpOffer()) : openLookUpForm(house, { asker, triggerId })
}

export async function submitLookUp(house: House, submission: Submission): Promise<void> {
  const { filled, correct, ack, privateMetadata } = submission
  // The card’s place, if the form was opened from a message.
  const inThread = privateMetadata
    ? readPrivateMetadata(keptPlaceSchema, privateMetadata)
    : undefined
  const conversation = filled.conversation(postToInput)
  const typed = filled.text(keyInput)
  const ask = askFor(house, typed, typed === '' ? filled.choice(choiceInput) : undefined)
  if ('problem' in ask) return correct({ [keyInput]: ask.problem })
  if (conversation && !conversation.channelId && !conversation.responseUrl)
    return correct({ [postToInput]: noWayThere })

  await ack()
  const chosen = inThread ?? conversation
  const place = { ...submission.place, ...chosen }
  await lookUp(house, submission.moveTo(place), { ...ask, isPrivate: !chosen })
}

/** *Look up this alert* in the menu of a message. */
export async function lookUpInMessage(house: House, request: ShortcutRequest): Promise<void> {
  const { keys, links, cardIds } = mentionedIn(request.message, house.config.alertUrl)
  // Bellhop’s own card stands for its alert, whatever its text mentions.
  const cards = await Promise.all(cardIds.map((id) => cardTheySee(house, request.asker, id)))
  const own = new Set(cards.flatMap((card) => card?.ks ?? []))
  const offered = own.size > 0 ? [...own] : [...keys, ...links]
  const [only, ...others] = offered
  const ask = only && others.length === 0 ? askFor(house, '', only) : undefined
  if (ask?.kind === 'look-up') return lookUp(house, request, ask)

  const inThread = JSON.stringify(keptPlace(request.place))
  await house.slack.openView(request.triggerId, lookupInThread(house.config, inThread, offered))
}

/** Reads what the form asks for: the choice, an exact key or a link, if there is one; else the typed words. */
function askFor(
  { config: { alertUrl } }: House,
  typed: string,
  chosen: string | undefined,
): KeyAsk {
  const isKey = chosen && !looksLikeLink(chosen, alertUrl)
  return isKey ? { kind: 'look-up', ...lookUpFor(chosen) } : parseKey(chosen ?? typed, alertUrl)
}
