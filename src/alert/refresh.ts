// *Refresh* on a card: it is brought up to date with what whoever pressed it may read.
import { type Resumed, withToken } from '../account/connect-first.ts'
import { MonitorError, UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { lookSoon } from '../live/look.ts'
import { updateCard } from '../live/update.ts'
import type { Alert } from '../monitor/schema.ts'
import type { From } from '../slack/guard/requests.ts'
import type { Person } from '../slack/ids.ts'
import { quote } from '../slack/text/typed.ts'
import { cardFor } from './cards.ts'
import { isClosed } from './render/state.ts'
import { ofCard, readForAsker, sayingWhenSlow } from './show.ts'

export async function refreshCard(house: House, from: From, cardId: string): Promise<void> {
  const card = await cardFor(house, from.asker, cardId, 'This card is too old to refresh. Use /alert again.')
  if (card === undefined) return
  const { ks } = card
  const { workspaceId, userId } = from.asker
  await withToken(house, from, { feature: 'refresh', ask: { cardId } }, async (token) => {
    const read = async () => {
      const reading = readAgain(house, from.asker, token, ks)
      const alert = await sayingWhenSlow(house, from, { ks, answer: 'on-card' }, reading)
      if (isClosed(alert)) lookSoon(house, workspaceId, alert, { ks, but: cardId })
      return { alert, readBy: userId }
    }
    await updateCard(house, card, { read, by: from })
  })
}

export function resumeRefresh(house: House, from: From, { ask }: Resumed): Promise<void> {
  return refreshCard(house, from, ofCard.parse(ask).cardId)
}

async function readAgain(house: House, asker: Person, token: string, ks: string): Promise<Alert> {
  try {
    return await readForAsker(house, asker, token, ks)
  } catch (error) {
    if (!(error instanceof MonitorError) || error.code !== 'not-found') throw error
    throw new UserError(`Monitoring no longer has an alert ${quote(ks)}. The card wasn’t changed.`)
  }
}
