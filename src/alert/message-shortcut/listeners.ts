// Slack's side of the message shortcut: shows the alert that a message speaks of, in its thread. Decides nothing.
import { z } from 'zod'
import type { Guard } from '../../slack/guard/guard.ts'
import type { Listeners } from '../../slack/guard/listeners.ts'
import { readPrivateMetadata } from '../../slack/guard/submitted-form.ts'
import type { SlackUser } from '../../slack/ids.ts'
import { keptPlace, keptPlaceSchema, type Place, placeFrom } from '../../slack/outbound/delivery.ts'
import { answerLookUpForm } from '../asking/form.ts'
import { lookUpFor, parseKey } from '../input.ts'
import { keysOfCards, lookUp } from '../look-up.ts'
import { keyInput } from '../modal.ts'
import type { AlertRoom } from '../room.ts'
import { keysThatFit, mentionedIn } from './keys.ts'
import { choiceInput, choiceModal, choiceView, messageShortcut, threadModal, threadView } from './modal.ts'

/** The modals' `private_metadata`: where the card goes, and what there is to choose from. */
const modalState = z.object({ place: keptPlaceSchema, keys: z.array(z.string()).default([]) })

function readState(privateMetadata: string, owner: SlackUser) {
  const { place, keys } = readPrivateMetadata(modalState, privateMetadata)
  return { place: placeFrom(place, owner), keys }
}

function stateOf(place: Place, keys: readonly string[] = []): string {
  return JSON.stringify({ place: keptPlace(place), keys })
}

export function registerMessageShortcut(listeners: Listeners, guard: Guard, room: AlertRoom): void {
  const { outbound } = room
  const { alertUrl } = room.settings

  listeners.shortcut(
    messageShortcut,
    guard.messageShortcut('look-up', async (request) => {
      const { asker, place, triggerId, message } = request
      const { keys, guess, cardIds, isWhole } = mentionedIn(message, alertUrl)
      // One of Bellhop's own cards is about its alert, whatever that says.
      const own = await keysOfCards(room, asker, cardIds)
      const offered = keysThatFit(own.length > 0 ? own : keys)
      const [only, ...others] = offered
      if (only === undefined) {
        const takesLinks = alertUrl !== undefined
        return void (await outbound
          .in(asker.workspaceId)
          .openView(triggerId, threadModal(stateOf(place), takesLinks, { guess, isWhole })))
      }
      if (others.length === 0) return lookUp(room, request, lookUpFor(only))
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
      await answerLookUpForm(room, submission, {
        lookup: ask,
        place,
        again: (problem) =>
          threadModal(privateMetadata, alertUrl !== undefined, { guess: typed, isWhole: true, problem }),
        show: (from) => guard.at('look-up', place, () => lookUp(room, from, ask)),
      })
    }),
  )

  listeners.view(
    choiceView,
    guard.submission('look-up', async ({ asker, filled, privateMetadata, ack }) => {
      const { place, keys } = readState(privateMetadata, asker)
      const ks = keys[Number(filled.choice(choiceInput))]
      await ack()
      if (ks === undefined) return
      await guard.at('look-up', place, () => lookUp(room, { asker, place }, lookUpFor(ks)))
    }),
  )
}
