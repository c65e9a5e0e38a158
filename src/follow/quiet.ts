// Maintenance in a followed container, as its carrier’s token shows it: the channel hears of what was set from Slack, and
// whatever shows it is drawn again when it begins, is late, or is over.

import type { House } from '../house.ts'
import { heardStep, isOverdue } from '../maintenance/maintenance.ts'
import { nameIn, type Quiet, quietAmong } from '../maintenance/names.ts'
import { quietLine, renderWord } from '../maintenance/render.ts'
import type { Line, Message, Posted } from '../slack/outbound/message.ts'
import type { Account } from '../slack/person.ts'
import { dropHeard, type Follow, type SeenAlert } from './follows.ts'

/**
 * Says what was set since, once the carrier’s token shows it. One that it doesn’t show yet is looked for again.
 * @param say - Posts in the channel; undefined where Slack doesn’t take it now.
 */
export async function sayMaintenance(
  house: House,
  follow: Follow,
  reader: Account,
  say: (message: Message) => Promise<Posted | undefined>,
): Promise<void> {
  const { assets, storage } = house
  const { workspaceId, channelId, hears = [] } = follow
  for (const id of hears) {
    const set = await storage.maintenances.find({ workspaceId, id })
    const isHeard = set?.heard.some((one) => one.channelId === channelId && !one.threadTs)
    // A channel that follows since has missed its beginning: once it is over, that is no news.
    if (set !== undefined && !isHeard && house.now() < set.endsAt) {
      const shown = await assets.modeNow(reader, set.target)
      const isShown = typeof shown !== 'string' && shown.mode === 'maintenance'
      const isHidden = shown === 'forbidden' || shown === 'not-found'
      if (!isShown && !isHidden) continue
      const name = nameIn(house, reader.owner, set.target)
      const posted = isShown ? await say(renderWord('begun', set, name)) : undefined
      if (isShown && posted === undefined) continue
      if (posted !== undefined)
        await storage.maintenances.change(
          set,
          heardStep({ ...posted, threadTs: undefined }, 'begun'),
        )
    }
    await storage.follows.change(follow, (one) => dropHeard(one, id))
  }
}

/** All that is in maintenance there. @param isNow - Modes are read again: all alerts are gone at once, or one has changed. */
export async function quietIn(
  house: House,
  reader: Account,
  container: number,
  isNow: boolean,
): Promise<readonly Quiet[]> {
  const listed = await house.assets.modesIn(reader, container, isNow)
  const machines = [...(listed?.keys() ?? [])].map((asset) => ({ container, asset }))
  return quietAmong(house, reader.owner, [{ container }, ...machines])
}

/** Marks of all in maintenance, in numbers: they are kept, and compared with the next look. */
export function marksOfQuiet(quiet: readonly Quiet[], now: number): readonly string[] {
  return quiet.map(({ target, set }) => {
    const isLate = set !== undefined && isOverdue(set, now)
    return [target.asset ?? 'all', set?.endsAt ?? '', isLate ? 'late' : ''].join(' ').trim()
  })
}

/** Keys of cards that no longer say what is so. */
export function cardsChanged(
  before: readonly string[],
  after: readonly string[],
  seen: ReadonlyMap<string, SeenAlert>,
): readonly string[] {
  const changed = [
    ...before.filter((mark) => !after.includes(mark)),
    ...after.filter((mark) => !before.includes(mark)),
  ].map((mark) => mark.split(' ')[0])
  const isChanged = ({ hasCard, asset }: SeenAlert) =>
    hasCard && asset !== undefined && (changed.includes('all') || changed.includes(`${asset}`))
  return [...seen].flatMap(([ks, one]) => (isChanged(one) ? [ks] : []))
}

/** More would be over a screen of a phone. */
const mostShown = 3

/** For the follow’s own message. */
export function quietLines(
  quiet: readonly Quiet[],
  { containerId }: Follow,
  now: number,
): readonly Line[] {
  const more = quiet.length - mostShown
  const lines = quiet.slice(0, mostShown).map((one) => quietLine(one, now))
  return more > 0
    ? [...lines, `🔧 ${more} more: /alert maintenance ${containerId} lists them.`]
    : lines
}
