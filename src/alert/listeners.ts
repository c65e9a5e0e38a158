// Slack's side of alerts: the form, buttons, the menu of a message, and links that people post. Parses, asks, answers. One
// thing is decided here, as nobody stands before events: whose links get a preview.
import type { House } from '../house.ts'
import { wasSaid } from '../slack/guard/once.ts'
import { readPrivateMetadata, type ShortcutRequest, type Submission } from '../slack/guard/requests.ts'
import { isDirectId } from '../slack/ids.ts'
import { keptPlace, keptPlaceSchema, nowhere, placeFrom } from '../slack/outbound/delivery.ts'
import type { Happened } from '../slack/routes.ts'
import { limits } from '../slack/text/limits.ts'
import { cardTheySee } from './cards.ts'
import { type KeyAsk, lookUpFor, parseKey } from './input.ts'
import { mentionedIn } from './keys-in-message.ts'
import { looksLikeLink } from './link.ts'
import { lookUp } from './look-up.ts'
import { choiceInput, keyInput, lookupModal, noWayThere, postToInput } from './render/look-up-form.ts'
import { unfurl } from './unfurl.ts'

/** *Look up* in the form. */
export async function submitLookUp(house: House, submission: Submission): Promise<void> {
  const { filled, ack, privateMetadata } = submission
  // Of a form that was opened from a message: where the card goes.
  const inThread = privateMetadata === '' ? undefined : readPrivateMetadata(keptPlaceSchema, privateMetadata)
  const conversation = filled.conversation(postToInput)
  const typed = filled.text(keyInput)
  const ask = askFor(house, typed, typed === '' ? filled.choice(choiceInput) : undefined)
  if ('problem' in ask) return ack({ response_action: 'errors', errors: { [keyInput]: ask.problem } })
  if (conversation !== undefined && !conversation.channelId && !conversation.responseUrl)
    return ack({ response_action: 'errors', errors: { [postToInput]: noWayThere } })
  await ack()
  const place = inThread ? placeFrom(inThread, submission.asker) : { ...submission.place, ...conversation }
  // Without a conversation the card goes to the direct message with the bot.
  const isPrivate = inThread === undefined && conversation === undefined
  await lookUp(house, submission.moveTo(place), { ...ask, isPrivate })
}

/** *Look up this alert* in the menu of a message: shows the alert that the message speaks of, in its thread. */
export async function lookUpInMessage(house: House, request: ShortcutRequest): Promise<void> {
  const { alertUrl } = house.config
  const { keys, links, cardIds } = mentionedIn(request.message, alertUrl)
  // One of Bellhop's own cards is about its alert, whatever that says.
  const cards = await Promise.all(cardIds.map((id) => cardTheySee(house, request.asker, id)))
  const own = new Set(cards.flatMap((card) => card?.ks ?? []))
  const offered = own.size > 0 ? [...own] : [...keys, ...links]
  const [only, ...others] = offered
  const ask = only === undefined || others.length > 0 ? undefined : askFor(house, '', only)
  if (ask?.kind === 'look-up') return lookUp(house, request, ask)
  const inThread = JSON.stringify(keptPlace(request.place))
  const form = lookupModal(house.config, { inThread, choices: offered })
  await house.slack.openView(request.triggerId, form)
}

/** What was chosen, a key as it is or a link; else what was typed. */
function askFor({ config: { alertUrl } }: House, typed: string, chosen: string | undefined): KeyAsk {
  const isKey = chosen !== undefined && !looksLikeLink(chosen, alertUrl)
  return isKey ? { kind: 'look-up', ...lookUpFor(chosen) } : parseKey(chosen ?? typed, alertUrl)
}

/** Of one message, as Slack lists them; how many get a preview is decided later. */
const mostLinksRead = 50

/** Slack tells of a mention at about the same time as of the links in it. Nobody waits for a preview. */
const mentionsWithinMs = 1_500

/** Somebody posts links. Webhooks, bots, strangers, and whoever is past their limit get no preview. */
export async function previewLinks(
  house: House,
  { workspaceId, event }: Happened<'link_shared'>,
): Promise<void> {
  const { user: userId, channel: channelId, message_ts: ts, thread_ts: threadTs, source } = event
  // Webhooks have no user, and what is still being written may never be posted.
  if (!userId || source === 'composer' || !(await house.slack.scopes.isOn('unfurls'))) return
  if (house.slack.limit.charge({ userId }) > 0) return
  const { shownName: name, isBot, isStranger } = await house.slack.people.writerOf(userId)
  if (isBot || isStranger) return
  // What is said to the bot is answered by it, and it may have been asked to keep that private.
  await house.wait(mentionsWithinMs)
  if (await wasSaid(house, { workspaceId, channelId, ts })) return
  const asker = { workspaceId, userId, name }
  const place = { ...nowhere(asker), channelId, isDirect: isDirectId(channelId), threadTs }
  const urls = event.links
    .slice(0, mostLinksRead)
    .flatMap(({ url }) => (url.length <= limits.buttonUrl ? [url] : []))
  await unfurl(house, { asker, place }, { channelId, ts, urls })
}
