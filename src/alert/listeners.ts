// Slack's side of alerts: the command, its form, buttons, the menu of a message, and links that people post. Parses, asks,
// answers. One thing is decided here, as the guard of events has no gate and looks nobody up: whose links get a preview.
import { z } from 'zod'
import type { Guard } from '../slack/guard/guard.ts'
import type { Listeners } from '../slack/guard/listeners.ts'
import {
  type ActionRequest,
  type ChosenConversation,
  type Command,
  type From,
  type Request,
  readPrivateMetadata,
  type Submission,
} from '../slack/guard/requests.ts'
import { isDirectId, slackId, slackTs } from '../slack/ids.ts'
import { keptPlace, keptPlaceSchema, type Place, placeFrom } from '../slack/outbound/delivery.ts'
import { limits } from '../slack/text/limits.ts'
import { keysOfCards, type Subject, subjectOf } from './cards.ts'
import { type AlertAsk, type LinkAsk, type Lookup, lookUpFor, parseKey } from './input.ts'
import { mentionedIn, thoseThatFit } from './keys-in-message.ts'
import { type AlertLink, alertLinkSchema } from './link.ts'
import { askAgain, isToDisconnect, lookUpAsked, openLookUpForm } from './look-up.ts'
import { refreshCard } from './refresh.ts'
import {
  type CardPress,
  type MenuChoice,
  moreAction,
  readMenuChoice,
  refreshAction,
  shareCardAction,
} from './render/card-buttons.ts'
import { openFormAction } from './render/help.ts'
import { pageActions, showEarlierAction } from './render/history.ts'
import {
  choiceInput,
  keyInput,
  liveInput,
  lookupModal,
  lookupView,
  messageShortcut,
  noWayThere,
  postToInput,
} from './render/look-up-form.ts'
import { askAgainActions } from './render/no-card.ts'
import type { AlertRoom } from './room.ts'
import { shareCard } from './show.ts'
import { openHistory, turnHistory } from './show-earlier.ts'
import { unfurl } from './unfurl.ts'

export function registerAlert(
  listeners: Listeners,
  guard: Guard,
  room: AlertRoom,
  others: {
    readonly command: Command<AlertAsk>
    /** Shows an alert, and keeps the card live where that was asked for. */
    readonly show: (from: From, lookup: Lookup) => Promise<void>
    readonly stopWatching: (from: From, cardId: string) => Promise<void>
    /** *Grant access* on a card. */
    readonly grantFor: (pressed: ActionRequest, subject: Subject) => Promise<void>
    /** *Assign to somebody* and *Comment* on a card. */
    readonly act: (pressed: ActionRequest, choice: Extract<MenuChoice, CardPress>) => Promise<void>
  },
): void {
  const { alertUrl } = room.settings

  listeners.command('/alert', guard.command('alert', others.command))

  const openForm = (request: Request) => openLookUpForm(room, request)
  listeners.shortcut(lookupView, guard.shortcut('look-up', openForm))
  listeners.action(openFormAction, guard.action('look-up', openForm))

  listeners.view(
    lookupView,
    guard.submission('look-up', async (submission) => {
      const { asker, filled, ack } = submission
      const inThread = threadState(submission)
      const choice = inThread?.choices[Number(filled.choice(choiceInput))]
      const conversation = filled.conversation(postToInput)
      const ask = choice === undefined ? parseKey(filled.text(keyInput), alertUrl) : askFor(choice)
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
      const asked = { ...ask, isPrivate, isWatched }
      const from = { asker, place }
      await guard.tellingFailures('look-up', place, () =>
        lookUpAsked(room, from, asked, (lookup) => others.show(from, lookup)),
      )
    }),
  )

  for (const action of askAgainActions) {
    listeners.action(
      action,
      guard.action('alert', (pressed) => askAgain(room, others.command, pressed), {
        isUnlimited: isToDisconnect,
      }),
    )
  }
  listeners.action(
    refreshAction,
    guard.action('refresh', (pressed) => refreshCard(room, pressed, pressed.value)),
  )
  listeners.action(
    moreAction,
    guard.action(
      'alert',
      async (pressed) => {
        const chosen = readMenuChoice(pressed.value)
        if (chosen === undefined) return
        const { offer, cardId } = chosen
        switch (offer) {
          case 'refresh':
            return guard.tellingFailures('refresh', pressed.place, () => refreshCard(room, pressed, cardId))
          case 'assign-to':
          case 'comment':
            return guard.tellingFailures('act', pressed.place, () => others.act(pressed, chosen))
          case 'open':
            // A link opens by itself; Slack only wants to hear that it was chosen.
            return
          case 'share':
            return shareCard(room, pressed, cardId)
          case 'stop':
            return others.stopWatching(pressed, cardId)
          case 'grant': {
            const subject = await subjectOf(room, pressed, cardId)
            return subject && others.grantFor(pressed, subject)
          }
          default:
            return offer satisfies never
        }
      },
      { isUnlimited: isUnlimitedOffer, isReadOnly: isLink },
    ),
  )
  listeners.action(
    shareCardAction,
    guard.action('alert', (pressed) => shareCard(room, pressed, pressed.value)),
  )
  listeners.action(
    showEarlierAction,
    guard.action('history', (pressed) => openHistory(room, pressed, pressed.value, pressed.triggerId)),
  )
  for (const turn of Object.values(pageActions)) {
    listeners.action(
      turn,
      guard.action('history', async (pressed) => {
        if (pressed.view) await turnHistory(room, pressed, pressed.view, pressed.value)
      }),
    )
  }
}

function isReachable({ channelId, responseUrl }: ChosenConversation): boolean {
  return channelId !== undefined || responseUrl !== undefined
}

/** A link opens by itself. */
function isLink(value: string): boolean {
  return readMenuChoice(value)?.offer === 'open'
}

/** A link opens by itself, and a watch that is stopped costs less from then on. */
function isUnlimitedOffer(value: string): boolean {
  const offer = readMenuChoice(value)?.offer
  return offer === 'open' || offer === 'stop'
}

/** *Look up this alert* in the menu of a message: shows the alert that the message speaks of, in its thread. */
export function registerMessageShortcut(listeners: Listeners, guard: Guard, room: AlertRoom): void {
  const { outbound } = room
  const { alertUrl } = room.settings

  listeners.shortcut(
    messageShortcut,
    guard.messageShortcut('look-up', async (request) => {
      const { asker, place, triggerId, message } = request
      const { keys, links, cardIds } = mentionedIn(message, alertUrl)
      // One of Bellhop's own cards is about its alert, whatever that says.
      const own = await keysOfCards(room, asker, cardIds)
      const offered = thoseThatFit<string | AlertLink>(own.length > 0 ? own : keys.length > 0 ? keys : links)
      const [only, ...others] = offered
      if (only !== undefined && others.length === 0) return lookUpAsked(room, request, askFor(only))
      const choices = only === undefined ? undefined : offered
      const form = { takesLinks: alertUrl !== undefined, inThread: stateOf(place, choices), choices }
      await outbound.in(asker.workspaceId).openView(triggerId, lookupModal(form))
    }),
  )
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

const linkShared = z.object({
  user: slackId,
  channel: slackId,
  message_ts: slackTs,
  thread_ts: slackTs.nullish(),
  // What is still being written may never be posted.
  source: z.literal('conversations_history').nullish(),
  bot_id: z.null().optional(),
  links: z.array(z.unknown()),
})

const postedLink = z.object({ url: z.string().max(limits.buttonUrl) })
/** Of one message, as Slack lists them; how many get a preview is decided later. */
const mostLinksRead = 50

/** Listens for links that people post. Webhooks, bots, strangers, and whoever is past a limit get no preview. */
export function registerUnfurl(listeners: Listeners, guard: Guard, room: AlertRoom): void {
  const { people, scopes, gate } = room

  listeners.event(
    'link_shared',
    guard.event(async ({ workspaceId, event }) => {
      const read = linkShared.safeParse(event)
      // Webhooks and bots have no account.
      if (!read.success || !(await scopes.in(workspaceId).isOn('unfurls'))) return
      const { user: userId, channel: channelId, message_ts: ts, thread_ts, links } = read.data
      // Nobody waits for a preview.
      if (!gate.chargeSilently({ workspaceId, userId })) return
      const { name, isBot, isStranger } = await people.in(workspaceId).writerOf(userId)
      if (isBot || isStranger) return
      const isDirect = isDirectId(channelId)
      const place = {
        workspaceId,
        userId,
        channelId,
        responseUrl: undefined,
        isDirect,
        threadTs: thread_ts ?? undefined,
      }
      const urls = links.slice(0, mostLinksRead).flatMap((one) => postedLink.safeParse(one).data?.url ?? [])
      await unfurl(room, { asker: { workspaceId, userId, name }, place }, { channelId, ts, urls })
    }),
  )
}
