// Maintenance in a followed container, as its carrier’s token shows it: the channel hears of what was set from Slack, and
// whatever shows it is drawn again when it begins, is late, or is over.

import type { House } from '../house.ts'
import { isOverdue, saidStep } from '../maintenance/maintenance.ts'
import type { Quiet } from '../maintenance/names.ts'
import { quietLine, renderModeNews } from '../maintenance/render.ts'
import type { Line, Message, Posted } from '../slack/outbound/message.ts'
import type { Follow, SeenAlert } from './follows.ts'

/**
 * Says what was set from Slack, where the channel hasn’t heard of it and it isn’t over.
 * @param say - Posts in the channel; undefined where Slack doesn’t take it now: the next look says it.
 */
export async function sayMaintenanceSet(
  { storage, slack, now }: House,
  { channelId }: Follow,
  quiet: readonly Quiet[],
  say: (message: Message) => Promise<Posted | undefined>,
): Promise<void> {
  for (const { ours, name } of quiet) {
    const isHeard = ours?.saidIn.some((one) => one.channelId === channelId && !one.threadTs)
    if (!ours || isHeard || now() >= ours.endsAt) continue
    if ((await slack.channels.outsiders(channelId)) !== 'none') return

    const posted = await say(renderModeNews('begun', ours, name))
    if (!posted) return

    await storage.maintenances.change(ours, saidStep({ ...posted, threadTs: undefined }, 'begun'))
  }
}

/** All in maintenance, one text each, in numbers: they are kept, and compared with the next look. */
export function quietStatesOf(quiet: readonly Quiet[], now: number): readonly string[] {
  return quiet.map(({ target, ours }) => {
    const isLate = ours !== undefined && isOverdue(ours, now)
    return [target.asset ?? 'all', ours?.endsAt ?? '', isLate ? 'late' : ''].join(' ').trim()
  })
}

/** Keys of cards that no longer say what is so. @param before - As quietStatesOf had them in the last look. */
export function cardsChanged(
  before: readonly string[],
  after: readonly string[],
  seen: ReadonlyMap<string, SeenAlert>,
): readonly string[] {
  const changed = [
    ...before.filter((state) => !after.includes(state)),
    ...after.filter((state) => !before.includes(state)),
  ].map((state) => state.split(' ')[0])
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
