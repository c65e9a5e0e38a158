// Tells a follow’s channel of maintenance in its container, as the carrier’s token shows it: maintenance that was set from
// Slack is posted, and messages that show maintenance are drawn again when it begins, is late, or is over.
// `quiet`: the machines and containers in maintenance.

import { isOverdue, saidStep } from '../maintenance/maintenance.ts'
import type { Quiet } from '../maintenance/names.ts'
import { quietLine, renderModeNews } from '../maintenance/render.ts'
import type { Line } from '../slack/outbound/message.ts'
import type { Follow, SeenAlert } from './follows.ts'
import { type Look, sayInLook } from './posting.ts'

/**
 * Posts maintenance that was set from Slack, if the channel hasn’t heard of it yet and its end lies ahead. If Slack doesn’t
 * take the message now, the next look posts it.
 */
export async function sayMaintenanceSet(look: Look, quiet: readonly Quiet[]): Promise<void> {
  const { storage, slack, now } = look.house
  const { channelId } = look.follow
  for (const { ours, name } of quiet) {
    const isHeard = ours?.saidIn.some((one) => one.channelId === channelId && !one.threadTs)
    if (!ours || isHeard || now() >= ours.endsAt) continue
    if ((await slack.channels.outsiders(channelId)) !== 'none') return

    const posted = await sayInLook(look, renderModeNews('begun', ours, name))
    if (!posted) return

    await storage.maintenances.change(ours, saidStep({ ...posted, threadTs: undefined }, 'begun'))
  }
}

/**
 * A text for each machine or container in maintenance: asset number or `all`, the end if Bellhop set it, and `late` if it
 * should be over. The texts are stored, and the next look compares its own with them.
 */
export function quietStatesOf(quiet: readonly Quiet[], now: number): readonly string[] {
  return quiet.map(({ target, ours }) => {
    const isLate = ours !== undefined && isOverdue(ours, now)
    return [target.asset ?? 'all', ours?.endsAt ?? '', isLate ? 'late' : ''].join(' ').trim()
  })
}

/**
 * Keys of cards on machines whose maintenance has changed since the last look.
 * @param before - Texts of `quietStatesOf` from the last look.
 * @param after - Texts of this look.
 */
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

/** Number of machines and containers that have a line each: more would be over a screen of a phone. */
const mostShown = 3

/**
 * Lines on maintenance: one for each of the first three machines or containers, and one on how many more there are. Used in
 * the follow’s own message, and in the message on how the night went.
 */
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
