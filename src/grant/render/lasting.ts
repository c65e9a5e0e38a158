// Words and buttons for access that ends by itself, wherever a grant is shown. Pure.

import type { Overflow } from '@slack/types'
import type { Line } from '../../slack/outbound/message.ts'
import { plain, richDateWithin, seconds } from '../../slack/text/mrkdwn.ts'
import { dayMs, durationWords, hourMs } from '../../work/durations.ts'
import type { Access } from '../access.ts'

/**
 * Action ids. The value of `edit` says what to do, and the end’s id; that of `more`, how many come before; that of the
 * others is the id.
 */
export const endActions = {
  edit: 'ends.edit',
  done: 'ends.done',
  gone: 'ends.gone',
  more: 'ends.more',
} as const

/** Later times that are offered, by their name in the menu’s value. */
export const extensions = { '1h': hourMs, '4h': 4 * hourMs, '1d': dayMs } as const

/** Said of what somebody has already. */
export const endsAnyway = 'It ends by itself. Whoever gave it can make it last: /grant due.'

/**
 * “For 4 hours, then taken back with your account.” Of more time, whoever gave it takes it back, as before.
 * @param whose - “your”, or “the approver’s”.
 */
export function endsLine(
  { ends, kind }: Pick<Access, 'ends' | 'kind'>,
  whose: string,
): Line | undefined {
  if (ends === undefined) return undefined

  const then = kind === 'extend' ? '.' : `, then taken back with ${whose} account.`
  if ('forMs' in ends) return `For ${durationWords(ends.forMs)}${then}`

  return ['Until ', richDateWithin(seconds(ends.at)), then]
}

/** “Until today 3:00 PM, then taken back with your account.” */
export function untilLine(
  { kind }: Pick<Access, 'kind'>,
  endsAt: number | undefined,
  whose: string,
): Line | undefined {
  return endsAt === undefined ? undefined : endsLine({ kind, ends: { at: endsAt } }, whose)
}

/** Asks a colleague for more time, by the name in the menu’s value. */
export const askMore = { 'ask-1h': '1h', 'ask-4h': '4h', 'ask-1d': '1d' } as const

/** Menu of an end. @param canExtend - Else they can ask for more time. @param id - Of the end. */
export function endMenu(id: string, canExtend = true): Overflow {
  const option = (label: string, what: string) => ({ text: plain(label), value: `${what} ${id}` })
  const later = Object.entries(extensions).map(([name, ms]) =>
    canExtend
      ? option(`Extend by ${durationWords(ms)}`, name)
      : option(`Ask for ${durationWords(ms)} more`, `ask-${name}`),
  )

  const keep = canExtend ? [option('Keep for good', 'keep')] : []

  return {
    type: 'overflow',
    action_id: endActions.edit,
    options: [...later, ...keep, option('Remove now', 'now')],
  }
}
