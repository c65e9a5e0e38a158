// Words and buttons for access that ends by itself, wherever a grant is shown. Pure.

import type { Overflow } from '@slack/types'
import type { Line } from '../../slack/outbound/message.ts'
import { plain, richDateWithin, seconds } from '../../slack/text/mrkdwn.ts'
import { dayMs, durationWords, hourMs } from '../../work/durations.ts'
import type { Access } from '../access.ts'

/**
 * Action ids of buttons about an end (the document that says when access is taken back). The value of `done` and `gone`
 * is the end’s id. The value of `edit` is a word for what to do, followed by the end’s id. The value of `more`, below a
 * list, is a number of ends.
 */
export const endActions = {
  edit: 'ends.edit',
  done: 'ends.done',
  gone: 'ends.gone',
  more: 'ends.more',
} as const

/** Lengths of time by which access can be made longer, by their names in values of the menu. */
export const extensions = new Map([
  ['1h', hourMs],
  ['4h', 4 * hourMs],
  ['1d', dayMs],
])

/** How much more time a colleague can be asked for, by the name in a value of the menu. */
export const askMore = new Map(Array.from(extensions, ([name, ms]) => [`ask-${name}`, ms]))

/** Hint about access that somebody has already, but only for a time. */
export const endsAnyway = 'It ends by itself. Whoever gave it can make it last: /grant due.'

/**
 * “For 4 hours, then taken back with your account.” An extension has “For 4 hours.” alone, as it is not the extender’s
 * account that takes the access back.
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

/** “Until today 3:00 PM, then taken back with your account.” Undefined for access that is for good. */
export function untilLine(
  { kind }: Pick<Access, 'kind'>,
  endsAt: number | undefined,
  whose: string,
): Line | undefined {
  return endsAt === undefined ? undefined : endsLine({ kind, ends: { at: endsAt } }, whose)
}

/** Menu of an end. @param id - The end’s id. @param canExtend - True if a press extends; if false, it asks a colleague. */
export function endMenu(id: string, canExtend = true): Overflow {
  const option = (label: string, what: string) => ({ text: plain(label), value: `${what} ${id}` })
  const more = canExtend
    ? [
        option('Extend by 1 hour', '1h'),
        option('Extend by 4 hours', '4h'),
        option('Extend by 1 day', '1d'),
        option('Keep for good', 'keep'),
      ]
    : [
        option('Ask for 1 hour more', 'ask-1h'),
        option('Ask for 4 hours more', 'ask-4h'),
        option('Ask for 1 day more', 'ask-1d'),
      ]

  return {
    type: 'overflow',
    action_id: endActions.edit,
    options: [...more, option('Remove now', 'now')],
  }
}
