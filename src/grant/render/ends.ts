// Words and buttons for access that ends by itself, wherever a grant is shown. Pure.
import type { Overflow } from '@slack/types'
import type { Line } from '../../slack/outbound/message.ts'
import { plain, richDateWithin, seconds } from '../../slack/text/mrkdwn.ts'
import type { Access } from '../access.ts'

/** Action ids. The value of `edit` says what to do, and the end’s id; that of `done` is the id. */
export const endActions = { edit: 'ends.edit', done: 'ends.done' } as const

export const hourMs = 3_600_000
/** Later times that are offered, by their name in the menu’s value. */
export const extensions = { '1h': hourMs, '4h': 4 * hourMs, '1d': 24 * hourMs } as const

/** Of what somebody has already. */
export const endsAnyway = 'It ends by itself. Whoever gave it can make it last: /grant due.'

/** “4 hours”, “30 minutes”, “7 days”, of whole minutes. */
export function durationWords(ms: number): string {
  const units = [['day', 24 * hourMs] as const, ['hour', hourMs] as const]
  const [unit, size] = units.find(([, one]) => ms % one === 0) ?? ['minute', hourMs / 60]
  const count = ms / size
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** “For 4 hours, then taken back with your account.” @param whose - “your”, or “the approver’s”. */
export function endsLine({ ends }: Pick<Access, 'ends'>, whose: string): Line | undefined {
  if (ends === undefined) return undefined
  const then = `, then taken back with ${whose} account.`
  if ('forMs' in ends) return `For ${durationWords(ends.forMs)}${then}`
  return ['Until ', richDateWithin(seconds(ends.at)), then]
}

/** “Until today 3:00 PM, then taken back with your account.” */
export function untilLine(endsAt: number | undefined, whose: string): Line | undefined {
  return endsAt === undefined ? undefined : endsLine({ ends: { at: endsAt } }, whose)
}

/** @param id - Of the end. */
export function endMenu(id: string): Overflow {
  const option = (label: string, what: string) => ({ text: plain(label), value: `${what} ${id}` })
  return {
    ...{ type: 'overflow', action_id: endActions.edit },
    options: [
      option('Extend by 1 hour', '1h'),
      option('Extend by 4 hours', '4h'),
      option('Extend by 1 day', '1d'),
      option('Keep for good', 'keep'),
      option('Remove now', 'now'),
    ],
  }
}
