// Gate: how much one person may ask for, and the sentences for requests that were not begun.

import type { ViewResponseAction } from '@slack/bolt'
import { type About, endsAs, setAbout } from '../../log/request.ts'
import type { Clock, SlackUser } from '../ids.ts'
import { say, type View } from '../outbound/message.ts'
import { aboutOf, type Topic, type UndoneWords } from '../request-topics.ts'
import { limits } from '../text/limits.ts'
import { escapeText, mrkdwn, plain } from '../text/mrkdwn.ts'
import { longestLine } from '../text/typed.ts'
import { createPersonLimit } from './limit.ts'

/** Somebody who asks too fast, and why that is so in a sentence. */
export interface TurnedDown {
  readonly sentence: string
  /** False when they were told a moment ago. */
  readonly isToBeTold: boolean
}

export interface Gate {
  /** Charges this person one request; undefined when they had that left. */
  charge(topic: Topic, person: SlackUser): TurnedDown | undefined
  /** Charges this person an event that is dropped without a word when they ask too fast: then false. */
  chargeSilently(person: SlackUser): boolean
  /**
   * Charges this person a key that they typed into a menu that suggests. Keys have a limit of their own, above what anybody
   * types. False when they are over it.
   */
  chargeKey(topic: Topic, person: SlackUser): boolean
}

/** Slack waits for a pause in the typing before it asks. */
const keysPerMinute = 120

/** @param room.perMinute - What a person may ask for; 0 sets no limit. */
export function createGate(room: {
  readonly perMinute: number
  readonly undone: Readonly<Record<About, UndoneWords>>
  readonly now: Clock
}): Gate {
  const { perMinute, undone, now } = room
  const limit = createPersonLimit({ perMinute, now })
  const keys = createPersonLimit({ perMinute: keysPerMinute, now })

  function note(topic: Topic): void {
    setAbout(aboutOf[topic])
    endsAs('limited')
  }

  return {
    charge(topic, person) {
      const held = limit.charge(person)
      if (held === undefined) return undefined
      note(topic)
      const sentence = tooFastSentence(undone[aboutOf[topic]], perMinute, held)
      return { sentence, isToBeTold: held.isToBeTold }
    },
    chargeSilently: (person) => limit.charge(person) === undefined,
    chargeKey(topic, person) {
      const isCharged = keys.charge(person) === undefined
      if (!isCharged) note(topic)
      return isCharged
    },
  }
}

/** Plain text. @param perMinute - What a person may ask for. */
export function tooFastSentence(
  { nothing }: UndoneWords,
  perMinute: number,
  { seconds }: { readonly seconds: number },
): string {
  const again = `in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  const rate = `Bellhop takes ${perMinute} ${perMinute === 1 ? 'request' : 'requests'} a minute from each person`
  return `${nothing} Try again ${again}: ${rate}.`
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
function notYetModal(reason: string): View {
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
