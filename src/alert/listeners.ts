// Slack's side of alerts: the form, buttons, the menu of a message, and links that people post. Parses, asks, answers. One
// thing is decided here, as nobody stands before events: whose links get a preview.
import { z } from 'zod'
import type { House } from '../house.ts'
import { wasSaid } from '../slack/guard/once.ts'
import {
  type ActionRequest,
  type ChosenConversation,
  readPrivateMetadata,
  type ShortcutRequest,
  type Submission,
} from '../slack/guard/requests.ts'
import { isDirectId } from '../slack/ids.ts'
import { keptPlace, keptPlaceSchema, nowhere, type Place, placeFrom } from '../slack/outbound/delivery.ts'
import type { Happened } from '../slack/routes.ts'
import { limits } from '../slack/text/limits.ts'
import { cardTheySee } from './cards.ts'
import { type LinkAsk, type Lookup, lookUpFor, parseKey } from './input.ts'
import { mentionedIn, thoseThatFit } from './keys-in-message.ts'
import { type AlertLink, alertLinkSchema } from './link.ts'
import { lookUp } from './look-up.ts'
import { refreshCard } from './refresh.ts'
import {
  choiceInput,
  keyInput,
  liveInput,
  lookupModal,
  noWayThere,
  openInput,
  postToInput,
} from './render/look-up-form.ts'
import { shareCard } from './show.ts'
import { unfurl } from './unfurl.ts'

/** *Look up* in the form. */
export async function submitLookUp(house: House, submission: Submission): Promise<void> {
  const { filled, ack } = submission
  const inThread = threadState(submission)
  const choice = inThread?.choices[Number(filled.choice(choiceInput))]
  const conversation = filled.conversation(postToInput)
  const typed = filled.text(keyInput)
  const chosen = choice ?? (typed === '' ? filled.choice(openInput) : undefined)
  const ask = chosen === undefined ? parseKey(typed, house.config.alertUrl) : askFor(chosen)
  if ('problem' in ask) {
    return ack({ response_action: 'errors', errors: { [keyInput]: ask.problem } })
  }
  if (conversation !== undefined && !isReachable(conversation))
    return ack({ response_action: 'errors', errors: { [postToInput]: noWayThere } })
  const isWatched = filled.choices(liveInput).length > 0
  await ack()
  const place: Place = inThread?.place ?? { ...submission.place, ...conversation }
  // Without a conversation the card goes to the direct message with the bot.
  const isPrivate = inThread === undefined && conversation === undefined
  await lookUp(house, submission.moveTo(place), { ...ask, isPrivate, isWatched })
}

function isReachable({ channelId, responseUrl }: ChosenConversation): boolean {
  return channelId !== undefined || responseUrl !== undefined
}

/** *Refresh* in a card's row. */
export function pressRefresh(house: House, pressed: ActionRequest): Promise<void> {
  return refreshCard(house, pressed, pressed.value)
}

/** *Share in channel* in a card's row. */
export function pressShare(house: House, pressed: ActionRequest): Promise<void> {
  return shareCard(house, pressed, pressed.value)
}

/** *Look up this alert* in the menu of a message: shows the alert that the message speaks of, in its thread. */
export async function lookUpInMessage(house: House, request: ShortcutRequest): Promise<void> {
  const { alertUrl } = house.config
  const { keys, links, cardIds } = mentionedIn(request.message, alertUrl)
  // One of Bellhop's own cards is about its alert, whatever that says.
  const cards = await Promise.all(cardIds.map((id) => cardTheySee(house, request.asker, id)))
  const own = new Set(cards.flatMap((card) => card?.ks ?? []))
  const offered = thoseThatFit<string | AlertLink>(own.size > 0 ? [...own] : keys.length > 0 ? keys : links)
  const [only, ...others] = offered
  if (only !== undefined && others.length === 0) return lookUp(house, request, askFor(only))
  const choices = only === undefined ? undefined : offered
  const form = { takesLinks: alertUrl !== undefined, inThread: stateOf(request.place, choices), choices }
  await house.slack.openView(request.triggerId, lookupModal(house.config, form))
}

/** The form's `private_metadata`, from a message: where the card goes, and what there is to choose from. */
const modalState = z.object({
  place: keptPlaceSchema,
  choices: z.array(z.union([z.string(), alertLinkSchema])),
})

/** Undefined of a form that was opened anywhere else. */
function threadState({ asker, privateMetadata }: Submission) {
  if (privateMetadata === '') return undefined
  const { place, choices } = readPrivateMetadata(modalState, privateMetadata)
  return { place: placeFrom(place, asker), choices }
}

function stateOf(place: Place, choices: readonly (string | AlertLink)[] = []): string {
  return JSON.stringify({ place: keptPlace(place), choices })
}

/** What was chosen, or is all there is, for everybody who sees the answer. */
function askFor(which: string | AlertLink): Lookup | LinkAsk {
  return typeof which === 'string' ? lookUpFor(which) : { link: which, isPrivate: false, isWatched: false }
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
