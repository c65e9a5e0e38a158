// Answers to requests that were not begun: they come too fast, too much is under way, a text is too long, or an
// input is odd.
import type { ViewResponseAction } from '@slack/bolt'
import type { Topic } from '../observer.ts'
import type { View } from '../outbound/message.ts'
import { limits } from '../text/limits.ts'
import { escapeText, mrkdwn, plain } from '../text/mrkdwn.ts'
import { longestLine } from '../text/typed.ts'
import type { HeldBack } from './person-limit.ts'

/** Plain text. @param perMinute - What a person may ask for. */
export function tooFast(asked: Topic, perMinute: number, { seconds }: Pick<HeldBack, 'seconds'>): string {
  const again = `in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  const rate = `Bellhop takes ${perMinute} ${perMinute === 1 ? 'request' : 'requests'} a minute from each person`
  const counted = asked === 'grant' ? ', and each person who is granted access counts as one' : ''
  return `${undone[asked]} Try again ${again}: ${rate}${counted}.`
}

const undone: Readonly<Record<Topic, string>> = {
  alert: 'Nothing was looked up.',
  grant: 'Nothing was sent.',
}

/** Plain text. */
export function tooBusy(asked: Topic): string {
  return `Bellhop is busy. ${undone[asked]} Try again in a moment.`
}

/** What is not even read. Plain text. @param length - How long it is, in characters. */
export function tooLong(length: number): string {
  return `Nothing was done: that is ${inWords(length)} characters long, and Bellhop reads ${inWords(longestLine)} at most. Shorten it, or split it into several.`
}

/** At an input of a form. Plain text. */
export function tooLongHere(length: number): string {
  return `That is ${inWords(length)} characters long, and ${inWords(limits.plainTextInput)} is the most here. Shorten it.`
}

function inWords(count: number): string {
  return count.toLocaleString('en-US')
}

/** At an input of a form that holds what nobody can have filled in. Plain text. */
export const oddInput = 'Slack sent something here that Bellhop can’t read. Fill it in again.'

/**
 * Answers a submission so that the modal stays, with all that was typed.
 * @param inputs - Of the modal; where it has none, the reason lies over it.
 */
export function keepModal(inputs: readonly string[], reason: string): ViewResponseAction {
  const [input] = inputs
  if (input !== undefined) return { response_action: 'errors', errors: { [input]: reason } }
  return { response_action: 'push', view: notYetModal(reason) }
}

/** Lies over the one that was submitted. @param reason - Plain text. */
export function notYetModal(reason: string): View {
  return {
    type: 'modal',
    title: plain('Not yet'),
    close: plain('Back'),
    blocks: [{ type: 'section', text: mrkdwn(escapeText(reason)) }],
  }
}
