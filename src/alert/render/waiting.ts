// Lines for somebody who waits: the service takes its time, or had nothing new to say. Pure.
import { type Message, sayMarked } from '../../slack/outbound/message.ts'
import { date, escapeText, time } from '../../slack/text/mrkdwn.ts'
import { keyInWords } from './did-you-mean.ts'

const answers = {
  here: 'The answer will appear here.',
  directly: 'The answer will come as a direct message.',
  'on-card': 'The card updates when monitoring answers.',
} as const

/** Where what somebody waits for will be. */
export type AnswerGoes = keyof typeof answers

/** While the service is asked. @param ks - Raw. */
export function renderStillAsking(ks: string, answer: AnswerGoes): Message {
  return sayMarked(`Still asking monitoring about ${escapeText(keyInWords(ks))}. ${answers[answer]}`)
}

const hourSeconds = 60 * 60

/**
 * To whoever pressed *Refresh*. Both in Unix seconds.
 * @param drawnAt - When the card was drawn before that.
 */
export function renderNothingNew(drawnAt: number, now: number): Message {
  const when = now - drawnAt < 12 * hourSeconds ? time(drawnAt) : date(drawnAt)
  return sayMarked(`Nothing new since ${when}`)
}
