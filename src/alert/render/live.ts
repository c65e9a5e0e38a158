// What a card says about being live. Pure.
import type { KnownBlock } from '@slack/types'
import { cut, date, exactDate, literal, mrkdwn, time } from '../../slack/text/mrkdwn.ts'
import type { Live } from '../live.ts'

const namesShown = 3

/** What says how far the card can be trusted. */
interface Check {
  /** Unix seconds. */
  readonly asOf: number
  readonly nextBy?: number | undefined
  readonly isPrivate: boolean
  readonly isOverdue?: boolean
}

/** “Live until … for Alice, Bob, checked 14:02, next check by 14:12”: a card that stalls shows it without an update. */
export function liveLine({ names, until }: Live, { asOf, nextBy, isPrivate, isOverdue }: Check): KnownBlock {
  const live = mrkdwn(`*Live* until ${date(Math.floor(until / 1000))}`)
  const check =
    nextBy === undefined || isOverdue ? [] : [mrkdwn(`checked ${time(asOf)}, next check by ${time(nextBy)}`)]
  if (isPrivate) return { type: 'context', elements: [live, ...check] }
  const shown = names.slice(0, namesShown).map((name) => cut(name, 40))
  const more = names.length > namesShown ? [`${names.length - namesShown} more`] : []
  return {
    type: 'context',
    elements: [live, literal(`for ${[...shown, ...more].join(', ')}`), ...check],
  }
}

/** @param asOf - Unix seconds. */
export function overdueLine(asOf: number): KnownBlock {
  const words = `⚠️ *Not up to date:* the alert could not be read since ${exactDate(asOf)}.`
  return { type: 'context', elements: [mrkdwn(words)] }
}
