// Slack's side of the message shortcut: shows the alert that a message speaks of, in its thread. Decides nothing.
import { z } from 'zod'
import type { Guard } from '../../slack/guard/guard.ts'
import type { Listeners } from '../../slack/guard/listeners.ts'
import type { From } from '../../slack/guard/requests.ts'
import { readPrivateMetadata } from '../../slack/guard/submitted-form.ts'
import type { SlackUser } from '../../slack/ids.ts'
import { keptPlace, keptPlaceSchema, type Place, placeFrom } from '../../slack/outbound/delivery.ts'
import { type LinkAsk, type Lookup, lookUpFor, parseKey } from '../input.ts'
import { type AlertLink, alertLinkSchema } from '../link.ts'
import { answerLookUpForm, lookUpAsked } from '../look-up.ts'
import {
  choiceInput,
  choiceModal,
  choiceView,
  keyInput,
  messageShortcut,
  threadModal,
  threadView,
} from '../render/look-up-form.ts'
import type { AlertRoom } from '../room.ts'
import { keysOfCards } from '../show.ts'
import { mentionedIn, thoseThatFit } from './keys.ts'

/** The modals' `private_metadata`: where the card goes, and what there is to choose from. */
const modalState = z.object({
  place: keptPlaceSchema,
  keys: z.array(z.union([z.string(), alertLinkSchema])).default([]),
})

function readState(privateMetadata: string, owner: SlackUser) {
  const { place, keys } = readPrivateMetadata(modalState, privateMetadata)
  return { place: placeFrom(place, owner), keys }
}

/** What was chosen, or is all there is, for everybody who sees the answer. */
function askFor(which: string | AlertLink): Lookup | LinkAsk {
  return typeof which === 'string' ? lookUpFor(which) : { link: which, isPrivate: false, isWatched: false }
}

function stateOf(place: Place, keys: readonly (string | AlertLink)[] = []): string {
  return JSON.stringify({ place: keptPlace(place), keys })
}

export function registerMessageShortcut(listeners: Listeners, guard: Guard, room: AlertRoom): void {
  const { outbound } = room
  const { alertUrl } = room.settings

  listeners.shortcut(
    messageShortcut,
    guard.messageShortcut('look-up', async (request) => {
      const { asker, place, triggerId, message } = request
      const { keys, links, guess, cardIds, isWhole } = mentionedIn(message, alertUrl)
      // One of Bellhop's own cards is about its alert, whatever that says.
      const own = await keysOfCards(room, asker, cardIds)
      const offered = thoseThatFit<string | AlertLink>(own.length > 0 ? own : keys.length > 0 ? keys : links)
      const [only, ...others] = offered
      if (only === undefined) {
        const takesLinks = alertUrl !== undefined
        return void (await outbound
          .in(asker.workspaceId)
          .openView(triggerId, threadModal(stateOf(place), takesLinks, { guess, isWhole })))
      }
      if (others.length === 0) return lookUpAsked(room, request, askFor(only))
      await outbound.in(asker.workspaceId).openView(triggerId, choiceModal(stateOf(place, offered), offered))
    }),
  )

  listeners.view(
    threadView,
    guard.submission('look-up', async (submission) => {
      const { asker, filled, privateMetadata, ack } = submission
      const typed = filled.text(keyInput)
      const ask = parseKey(typed, alertUrl)
      if (ask.kind !== 'look-up')
        return ack({ response_action: 'errors', errors: { [keyInput]: ask.problem } })
      const { place } = readState(privateMetadata, asker)
      const show = (from: From) => guard.at('look-up', place, () => lookUpAsked(room, from, ask))
      if ('link' in ask) {
        await ack()
        return show({ asker, place })
      }
      await answerLookUpForm(room, submission, {
        lookup: ask,
        place,
        again: (problem) =>
          threadModal(privateMetadata, alertUrl !== undefined, { guess: typed, isWhole: true, problem }),
        show,
      })
    }),
  )

  listeners.view(
    choiceView,
    guard.submission('look-up', async ({ asker, filled, privateMetadata, ack }) => {
      const { place, keys } = readState(privateMetadata, asker)
      const which = keys[Number(filled.choice(choiceInput))]
      await ack()
      if (which === undefined) return
      await guard.at('look-up', place, () => lookUpAsked(room, { asker, place }, askFor(which)))
    }),
  )
}
