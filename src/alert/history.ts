// Show earlier: the whole history in a modal, page by page, for whoever pressed.
import { z } from 'zod'
import type { ConnectFirst } from '../account/connect-first.ts'
import { MonitorError, UserError } from '../errors.ts'
import type { AlertReads } from '../monitor/cache.ts'
import { monitorSentence } from '../slack/error-message.ts'
import { personKey } from '../slack/ids.ts'
import type { Outbound } from '../slack/outbound.ts'
import type { Card, Cards } from './cards.ts'
import type { From } from './look-up.ts'
import { failedHistoryModal, firstPage, historyModal, loadingHistoryModal } from './modal.ts'

export interface Histories {
  /** Opens the modal. */
  open(from: From, cardId: string, triggerId: string): Promise<void>
  /** Shows the history in a view that is open already. */
  show(from: From, cardId: string, viewId: string): Promise<void>
  /** Turns to the page that begins at `from`, counted from the oldest action. */
  turn(
    from: From,
    view: { readonly id: string; readonly privateMetadata: string },
    start: string,
  ): Promise<void>
}

const modalState = z.object({ cardId: z.string() })

export function createHistories(room: {
  readonly reads: AlertReads
  readonly cards: Cards
  readonly connectFirst: ConnectFirst
  readonly outbound: Outbound
}): Histories {
  const { reads, cards, connectFirst, outbound } = room

  async function inView(
    from: From,
    cardId: string,
    getView: () => Promise<string>,
    pageStart?: number,
  ): Promise<void> {
    const card = await findCard(from, cardId)
    if (card === undefined) return
    const { ks } = card
    await connectFirst.withToken(
      from,
      { feature: 'history', asked: 'alert', ks, ask: { cardId } },
      async (token) => {
        const viewId = await getView()
        try {
          const alert = await reads.read(personKey(from.asker), token, ks)
          await outbound.updateView(viewId, historyModal(cardId, alert, pageStart ?? firstPage(alert)))
        } catch (error) {
          if (!(error instanceof MonitorError)) throw error
          await outbound.updateView(viewId, failedHistoryModal(monitorSentence(error.code, 'alert')))
          if (error.code === 'refused') throw error
        }
      },
    )
  }

  async function findCard({ asker }: From, cardId: string): Promise<Card | undefined> {
    const card = await cards.find(asker.workspaceId, cardId)
    if (card === undefined) throw new UserError('This card is too old to show its history. Use /alert again.')
    return card.isPrivate && card.asker.userId !== asker.userId ? undefined : card
  }

  return {
    open: (from, cardId, triggerId) =>
      inView(from, cardId, () => outbound.openView(triggerId, loadingHistoryModal())),
    show: (from, cardId, viewId) => inView(from, cardId, async () => viewId),
    async turn(from, view, start) {
      const { cardId } = modalState.parse(JSON.parse(view.privateMetadata))
      await inView(from, cardId, async () => view.id, Number(start) || 0)
    },
  }
}
