// Sentences for requests that were not begun: they come too fast, too much is under way, a text is too long, an input is
// odd, or they come from where the bot works for nobody. Pure.
import type { ViewResponseAction } from '@slack/bolt'
import { type Message, say, sayMarked, type View } from '../outbound/message.ts'
import type { UndoneWords } from '../request-topics.ts'
import { limits } from '../text/limits.ts'
import { escapeText, mrkdwn, plain } from '../text/mrkdwn.ts'
import { longestLine } from '../text/typed.ts'

/** Plain text. @param perMinute - What a person may ask for. */
export function tooFastSentence(
  { nothing, counted = '' }: UndoneWords,
  perMinute: number,
  { seconds }: { readonly seconds: number },
): string {
  const again = `in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  const rate = `Bellhop takes ${perMinute} ${perMinute === 1 ? 'request' : 'requests'} a minute from each person`
  return `${nothing} Try again ${again}: ${rate}${counted}.`
}

/** Plain text. */
export function tooBusySentence({ nothing }: UndoneWords): string {
  return `Bellhop is busy. ${nothing} Try again in a moment.`
}

/** In a form that is still open. Plain text. */
export const justStarting = 'Bellhop is starting up. Press again in a moment.'

/** What is not even read. Plain text. @param length - How long it is, in characters. */
export function tooLongSentence(length: number): string {
  return `Nothing was done: your text is ${inWords(length)} characters long, and Bellhop reads at most ${inWords(longestLine)}. Shorten it, or split it up.`
}

/** At an input of a form. Plain text. */
export function tooLongInputSentence(length: number): string {
  return `That’s ${inWords(length)} characters, and at most ${inWords(limits.plainTextInput)} fit here. Shorten it.`
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

/** To somebody of another organisation, in a channel that is shared with it. */
export const stranger = say(
  'Nothing was done: this Bellhop belongs to another organisation. Ask somebody in that organisation.',
)

/** @param installUrl - Where somebody can add the bot; undefined where it works for one workspace alone. */
export function renderNotInstalled(installUrl: string | undefined): Message {
  if (installUrl === undefined) return say(elsewhere)
  const link = `<${installUrl}|${add}>`
  return sayMarked(`${notYet} Anyone who may install apps can finish that: ${link}.`)
}

/** For a form that is still open. Raw. */
export function notInstalledSentence(installUrl: string | undefined): string {
  if (installUrl === undefined) return elsewhere
  return `${notYet} Anyone who may install apps can finish that at ${installUrl}.`
}

const notYet = 'Bellhop isn’t set up in this workspace yet.'
const add = 'Add Bellhop to Slack'
const elsewhere = 'This Bellhop works for another workspace, so nothing was done. Ask whoever runs it.'
