// Show earlier: the whole history of an alert in a modal, page by page, for whoever pressed the button.
import { z } from 'zod'
import { withToken } from '../account/connect-first.ts'
import { MonitorError } from '../errors.ts'
import type { House } from '../house.ts'
import { monitorSentence } from '../monitor/words.ts'
import { namesKnown } from '../names/naming.ts'
import { type ActionRequest, type From, readPrivateMetadata } from '../slack/guard/requests.ts'
import { say } from '../slack/outbound/message.ts'
import { quote } from '../slack/text/typed.ts'
import { cardFor, placeOf } from './cards.ts'
import { readForAsker } from './read.ts'
import {
  failedHistoryModal,
  historyModal,
  loadingHistoryModal,
  pageBefore,
  readShowEarlier,
} from './render/history.ts'

/** *Show earlier* on a history: opens the modal. */
export function openHistory(house: House, pressed: ActionRequest): Promise<void> {
  const { cardId, older } = readShowEarlier(pressed.value)
  return showPage(house, pressed, cardId, pageBefore(older), () =>
    house.slack.openView(pressed.triggerId, loadingHistoryModal()),
  )
}

/** Slack lets no modal open by itself. */
export function resumeHistory({ slack }: House, { place }: From): Promise<void> {
  return slack.privately(place, say('You’re connected. Press Show earlier again.'))
}

const modalState = z.object({ cardId: z.string() })

/** A button of the modal: turns to the page that begins at its value, counted from the oldest action. */
export async function turnHistory(house: House, pressed: ActionRequest): Promise<void> {
  const { view, value } = pressed
  if (view === undefined) return
  const { cardId } = readPrivateMetadata(modalState, view.privateMetadata)
  await showPage(house, pressed, cardId, Number(value) || 0, async () => view.id)
}

async function showPage(
  house: House,
  from: From,
  cardId: string,
  start: number,
  getView: () => Promise<string>,
): Promise<void> {
  const tooOld = 'This card is too old to show its history. Use /alert again.'
  const card = await cardFor(house, from.asker, cardId, tooOld)
  const { ks } = card
  await withToken(house, from, { feature: 'history', ask: {} }, async (token) => {
    const viewId = await getView()
    try {
      const alert = await readForAsker(house, from.asker, token, ks)
      // Whoever reads a page reads it alone: what their own token has shown.
      const names = namesKnown(house, from.asker, alert, placeOf(card))
      await house.slack.updateView(viewId, historyModal(cardId, alert, start, names))
    } catch (error) {
      if (!(error instanceof MonitorError)) throw error
      await house.slack.updateView(viewId, failedHistoryModal(problemOf(error, ks)))
      if (error.code === 'refused') throw error
    }
  })
}

function problemOf({ code }: MonitorError, ks: string): string {
  if (code === 'not-found') return `Monitoring no longer has an alert ${quote(ks)}.`
  if (code !== 'refused') return monitorSentence(code)
  return 'Monitoring no longer accepts your token. Close this, and press Connect account in my message.'
}
