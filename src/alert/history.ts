// Show earlier: the whole history in a modal, page by page, for whoever pressed.
import { z } from 'zod'
import type { ConnectFirst } from '../account/connect-first.ts'
import { MonitorError, UserError } from '../errors.ts'
import { readKept } from '../slack/guard/filled.ts'
import type { From } from '../slack/guard/requests.ts'
import type { Delivery } from '../slack/outbound/delivery.ts'
import { say } from '../slack/outbound/message.ts'
import type { Outbound } from '../slack/outbound/outbound.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import { type Card, type Cards, isOpenTo } from './cards.ts'
import { failedHistoryModal, historyModal, loadingHistoryModal, pageBefore } from './modal.ts'
import type { ReadAlert } from './read-alert.ts'
import { actionsPerPage, readShowEarlier, showEarlierValue } from './render/history.ts'
import { monitorSentence } from './render/unread.ts'

export interface Histories {
  /** Opens the modal. @param pressed - The button's value. */
  open(from: From, pressed: string, triggerId: string): Promise<void>
  /** Shows the history in a view that is open already; without one it says how to open it. */
  show(from: From, pressed: string, viewId: string | undefined): Promise<void>
  /** Turns to the page that begins at `start`, counted from the oldest action. */
  turn(
    from: From,
    view: { readonly id: string; readonly privateMetadata: string },
    start: string,
  ): Promise<void>
}

const modalState = z.object({ cardId: z.string() })

export function createHistories(room: {
  readonly readAlert: ReadAlert
  readonly cards: Cards
  readonly connectFirst: ConnectFirst
  readonly delivery: Delivery
  readonly outbound: PerWorkspace<Outbound>
}): Histories {
  const { readAlert, cards, connectFirst, delivery, outbound } = room

  async function inView(
    from: From,
    cardId: string,
    start: number,
    getView: () => Promise<string>,
    onClosed: () => Promise<void> = async () => undefined,
  ): Promise<void> {
    const card = await findCard(from, cardId)
    if (card === undefined) return
    const { ks } = card
    // After connecting, the same page opens as would have now.
    const pressed = showEarlierValue(cardId, start + actionsPerPage)
    await connectFirst.withToken(
      from,
      { feature: 'history', asked: 'alert', ks, ask: { pressed } },
      async (token) => {
        const viewId = await getView()
        try {
          const alert = await readAlert(from.asker, token, ks, { isFresh: false })
          const isSeen = await outbound
            .in(from.asker.workspaceId)
            .updateView(viewId, historyModal(cardId, alert, start))
          if (!isSeen) await onClosed()
        } catch (error) {
          if (!(error instanceof MonitorError)) throw error
          await outbound.in(from.asker.workspaceId).updateView(viewId, failedHistoryModal(problemOf(error)))
          if (error.code === 'refused') throw error
        }
      },
    )
  }

  function problemOf({ code }: MonitorError): string {
    if (code !== 'refused') return monitorSentence(code)
    return 'Your token is no longer accepted. Close this, and press Connect account in the message from Bellhop.'
  }

  async function findCard({ asker }: From, cardId: string): Promise<Card | undefined> {
    const card = await cards.find(asker.workspaceId, cardId)
    if (card === undefined) throw new UserError('This card is too old to show its history. Use /alert again.')
    return isOpenTo(asker, card) ? card : undefined
  }

  return {
    open(from, pressed, triggerId) {
      const { cardId, older } = readShowEarlier(pressed)
      return inView(from, cardId, pageBefore(older), () =>
        outbound.in(from.asker.workspaceId).openView(triggerId, loadingHistoryModal()),
      )
    },
    show(from, pressed, viewId) {
      const { cardId, older } = readShowEarlier(pressed)
      const again = say('You are connected. Press Show earlier again.')
      const onClosed = () => delivery.privately(from.place, again)
      if (viewId === undefined) return onClosed()
      return inView(from, cardId, pageBefore(older), async () => viewId, onClosed)
    },
    async turn(from, view, start) {
      const { cardId } = readKept(modalState, view.privateMetadata)
      await inView(from, cardId, Number(start) || 0, async () => view.id)
    },
  }
}
