// *Refresh* on a card: it is brought up to date with what whoever pressed it may read.
import { type Resumed, withToken } from '../account/connect-first.ts'
import { MonitorError, UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { updateCard } from '../live/update.ts'
import type { From } from '../slack/guard/requests.ts'
import { quote } from '../slack/text/typed.ts'
import { cardFor } from './cards.ts'
import { readAwaited } from './read.ts'
import { ofCard } from './show.ts'

/** @param cardId - Default: of the button in a card's row. */
export async function refreshCard(
  house: House,
  from: From & { readonly value?: string },
  cardId = from.value ?? '',
): Promise<void> {
  const card = await cardFor(house, from.asker, cardId, 'This card is too old to refresh. Use /alert again.')
  const { ks } = card
  const readBy = from.asker.userId
  await withToken(house, from, { feature: 'refresh', ask: { cardId } }, async (token) => {
    const read = async () => ({ alert: await readAwaited(house, from, token, ks), readBy })
    await updateCard(house, card, { read, by: from }).catch((error: unknown) => {
      if (!(error instanceof MonitorError) || error.code !== 'not-found') throw error
      throw new UserError(`Monitoring no longer has an alert ${quote(ks)}. The card wasn’t changed.`)
    })
  })
}

export function resumeRefresh(house: House, from: From, { ask }: Resumed): Promise<void> {
  return refreshCard(house, from, ofCard.parse(ask).cardId)
}
