// What a card says about being live. Pure.
import type { KnownBlock } from '@slack/types'
import { cut, date, exactDate, literal, mrkdwn } from '../slack/mrkdwn.ts'
import type { Live } from './live.ts'

const namesShown = 3

/** “Live until … for Alice, Bob” */
export function liveLine({ names, until }: Live, isPrivate: boolean): KnownBlock {
  const live = mrkdwn(`*Live* until ${date(Math.floor(until / 1000))}`)
  if (isPrivate) return { type: 'context', elements: [live] }
  const shown = names.slice(0, namesShown).map((name) => cut(name, 40))
  const more = names.length > namesShown ? [`${names.length - namesShown} more`] : []
  return {
    type: 'context',
    elements: [live, literal(`for ${[...shown, ...more].join(', ')}`)],
  }
}

/** @param asOf - Unix seconds. */
export function overdueLine(asOf: number): KnownBlock {
  const words = `⚠️ *Not up to date:* the alert could not be read since ${exactDate(asOf)}.`
  return { type: 'context', elements: [mrkdwn(words)] }
}
