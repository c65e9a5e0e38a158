// Show earlier: the whole history of an alert in a modal, page by page, for whoever pressed the button.
import { z } from 'zod'
import { type Resumed, withToken } from '../account/connect-first.ts'
import { MonitorError } from '../errors.ts'
import { namesKnown } from '../names/naming.ts'
import { type From, readPrivateMetadata } from '../slack/guard/requests.ts'
import { say } from '../slack/outbound/message.ts'
import { quote } from '../slack/text/typed.ts'
import { cardFor } from './cards.ts'
import {
  actionsPerPage,
  failedHistoryModal,
  historyModal,
  loadingHistoryModal,
  pageBefore,
  readShowEarlier,
  showEarlierValue,
} from './render/history.ts'
import { monitorSentence } from './render/no-card.ts'
import type { AlertRoom } from './room.ts'
import { readForAsker } from './show.ts'

/** Opens the modal. @param value - Of the button. */
export function openHistory(room: AlertRoom, from: From, value: string, triggerId: string): Promise<void> {
  const { cardId, older } = readShowEarlier(value)
  return showPage(room, from, cardId, pageBefore(older), () =>
    room.outbound.in(from.asker.workspaceId).openView(triggerId, loadingHistoryModal()),
  )
}

/** A page that waits for an account, kept in a row: `pressed` is the value of the button that opens it. */
const ofHistory = z.object({ pressed: z.string() })

/** Shows the history in a view that is open already; without one it says how to open it. */
export async function resumeHistory(
  room: AlertRoom,
  from: From,
  { ask }: Resumed,
  viewId: string | undefined,
): Promise<void> {
  const { delivery } = room
  const { pressed: value } = ofHistory.parse(ask)
  const { cardId, older } = readShowEarlier(value)
  const again = say('You’re connected. Press Show earlier again.')
  const onClosed = () => delivery.privately(from.place, again)
  if (viewId === undefined) return onClosed()
  await showPage(room, from, cardId, pageBefore(older), async () => viewId, onClosed)
}

const modalState = z.object({ cardId: z.string() })

/** Turns to the page that begins at `start`, counted from the oldest action. */
export async function turnHistory(
  room: AlertRoom,
  from: From,
  view: { readonly id: string; readonly privateMetadata: string },
  start: string,
): Promise<void> {
  const { cardId } = readPrivateMetadata(modalState, view.privateMetadata)
  await showPage(room, from, cardId, Number(start) || 0, async () => view.id)
}

async function showPage(
  room: AlertRoom,
  from: From,
  cardId: string,
  start: number,
  getView: () => Promise<string>,
  onClosed: () => Promise<void> = async () => undefined,
): Promise<void> {
  const tooOld = 'This card is too old to show its history. Use /alert again.'
  const card = await cardFor(room, from.asker, cardId, tooOld)
  if (card === undefined) return
  const { ks } = card
  // After connecting, the same page opens as would have now.
  const ask: z.infer<typeof ofHistory> = { pressed: showEarlierValue(cardId, start + actionsPerPage) }
  await withToken(room.account, from, { feature: 'history', ks, ask }, async (token) => {
    const viewId = await getView()
    const { updateView } = room.outbound.in(from.asker.workspaceId)
    try {
      const alert = await readForAsker(room, from.asker, token, ks)
      // Whoever reads a page reads it alone: what their own token has shown.
      const names = namesKnown(room.names, from.asker, alert, card.link)
      const isSeen = await updateView(viewId, historyModal(cardId, alert, start, names))
      if (!isSeen) await onClosed()
    } catch (error) {
      if (!(error instanceof MonitorError)) throw error
      await updateView(viewId, failedHistoryModal(problemOf(error, ks)))
      if (error.code === 'refused') throw error
    }
  })
}

function problemOf({ code }: MonitorError, ks: string): string {
  if (code === 'not-found') return `Monitoring no longer has an alert ${quote(ks)}.`
  if (code !== 'refused') return monitorSentence(code)
  return 'Monitoring no longer accepts your token. Close this, and press Connect account in Bellhop’s message.'
}
