// *Look again* on a receipt: reads once, with the token of whoever sent the grant, what became of those who are not
// certain. Never sends anything.
import { UserError } from '../errors.ts'
import { lookNow } from '../send/looks.ts'
import { noteTold } from '../send/telling.ts'
import type { KeptWish } from '../send/wishes.ts'
import type { From } from '../slack/guard/requests.ts'
import { findOwn, rememberRefused, tellHowItStands } from './granting.ts'
import { noteOutcome } from './record.ts'
import { glimpsesOf } from './render/look.ts'
import { inVain } from './render/offers.ts'
import { notReadNote, renderReceipt } from './render/receipt.ts'
import type { GrantRoom } from './room.ts'
import { isOpenToShare } from './share-receipt.ts'
import { resultsOf, wishOf } from './wish.ts'

/**
 * Shows the receipt as it is then, in place of the one that was pressed.
 * @throws UserError when nothing can be looked at.
 */
export async function lookOnceMore(room: GrantRoom, from: From, id: string): Promise<void> {
  const found = await findOwn(room.send, from.asker, id)
  if (found?.state !== 'settled') return tellHowItStands(room, from, id)
  const isKnown = found.sends.every(({ outcome }) => outcome?.kind !== 'uncertain')
  if (!isKnown) await refuseInVain(room, from, found)
  const since = room.now()
  const kept = await lookNow(room.send, found)
  const results = resultsOf(kept)
  if (results === undefined) return tellHowItStands(room, from, id)
  const glimpses = glimpsesOf(kept)
  const isRead = [...glimpses.values()].every(({ saw, at }) => saw !== 'unread' && at >= since)
  const isOff = glimpses.size === 0 && results.some(({ outcome }) => outcome.kind === 'uncertain')
  const { roles, authProviders } = room.settings
  const message = renderReceipt(id, wishOf(kept), results, {
    ...{ roles, authProviders, glimpses },
    canShare: !kept.about?.isForAll && (await isOpenToShare(room, from, kept.channelId)),
    isRestOpen: true,
    remembered: await rememberRefused(room, from, kept, results),
    note: isOff ? inVain.cannotLook : isRead ? undefined : notReadNote,
    lookedAt: isKnown || isOff || !isRead ? undefined : Math.floor(since / 1000),
  })
  await room.delivery.privately(from.place, message, { replaces: true })
  await noteTold(room.send, kept, 'corrected')
  noteOutcome(results)
}

async function refuseInVain({ account }: GrantRoom, { asker }: From, kept: KeptWish): Promise<void> {
  if (glimpsesOf(kept).size === 0) throw new UserError(inVain.cannotLook)
  if ((await account.tokens.find(asker)) === undefined) throw new UserError(inVain.noAccount)
}
