// Bounds of how much comes in at a time, from one person and from all together; and the sentences for requests that were
// not begun. Whoever is turned down is told so at once, cheaply.

import type { ViewResponseAction } from '@slack/bolt'
import type { Log } from '../../log/log.ts'
import { type About, endsAs, setAbout } from '../../log/request.ts'
import type { Work } from '../../work/under-way.ts'
import type { Clock, SlackUser } from '../ids.ts'
import type { SlackObserver } from '../observer.ts'
import type { Delivery, Place } from '../outbound/delivery.ts'
import { type Message, say, sayMarked, type View } from '../outbound/message.ts'
import { aboutOf, type Topic, type UndoneWords } from '../request-topics.ts'
import { limits } from '../text/limits.ts'
import { escapeText, mrkdwn, plain } from '../text/mrkdwn.ts'
import { longestLine } from '../text/typed.ts'
import { createBuckets, type Decision, mostBuckets, type Price } from './buckets.ts'

/** Somebody who asks too fast, and why that is so in a sentence. */
export interface TurnedDown {
  readonly sentence: string
  /** False when they were told a moment ago. */
  readonly isToBeTold: boolean
}

export interface Gate {
  /**
   * Turns a request down when as much is under way as this process takes, and notes that.
   * @param isPreferred - It takes something back or away, or changes nothing, and comes in while twice as much is.
   * @param own - 1 where this request is counted as work already, as an event is; else 0.
   * @returns The sentence for whoever asked; undefined when there is room.
   */
  turnDownIfBusy(topic: Topic, isPreferred: boolean, own?: 0 | 1): string | undefined
  /** Turns a request down in the same words, for want of time, and notes that. */
  turnDownAsBusy(topic: Topic): string
  /** Charges this person one request; undefined when they had that left. */
  charge(topic: Topic, person: SlackUser): Promise<TurnedDown | undefined>
  /**
   * Charges this person an event that may be dropped without a word, as nobody waits for it. False when it has to be:
   * too much is under way, or they ask too fast.
   */
  chargeSilently(person: SlackUser): Promise<boolean>
  /**
   * Charges this person a key that they typed into a menu that suggests. Keys have a limit of their own, above what anybody
   * types. False when they are over it.
   */
  chargeKey(topic: Topic, person: SlackUser): boolean
  /** Tells somebody, unless very many are being told. Never rejects. */
  tell(place: Place, sentence: string): Promise<void>
}

/** Work under way in one process. */
export const mostWork = 500
/**
 * Pieces of work that only wait until Slack takes messages again, for each one that does something. A waiting one holds no
 * connection, and some ten kilobytes of memory: its request and the message.
 */
const mostWaitingEach = 4
/** Slack waits for a pause in the typing before it asks; each process counts for itself. */
const keysPerMinute = 120
/** People who are being told, at once, that they were turned down. */
const mostTelling = 100

export function createGate(room: {
  readonly work: Pick<Work, 'size' | 'waiting'>
  readonly limit: PersonLimit
  readonly delivery: Pick<Delivery, 'privately'>
  readonly observer: SlackObserver
  readonly undone: Readonly<Record<About, UndoneWords>>
  readonly log: Log
  readonly now: Clock
  /** Work under way at which requests are turned down. */
  readonly most: number
}): Gate {
  const { work, limit, delivery, observer, undone, log, now, most } = room
  const keys = createBuckets({ perMinute: keysPerMinute, now, most: mostBuckets })
  let telling = 0

  function isFull(places: number, own: 0 | 1): boolean {
    return work.size() - own >= places || work.waiting() >= mostWaitingEach * places
  }

  function note(topic: Topic, outcome: 'busy' | 'limited'): void {
    setAbout(aboutOf[topic])
    endsAs(outcome)
  }

  function turnDownAsBusy(topic: Topic): string {
    observer.heldBack('busy')
    note(topic, 'busy')
    return tooBusySentence(undone[aboutOf[topic]])
  }

  return {
    turnDownIfBusy: (topic, isPreferred, own = 0) =>
      isFull(isPreferred ? 2 * most : most, own) ? turnDownAsBusy(topic) : undefined,
    turnDownAsBusy,
    async charge(topic, person) {
      const held = await limit.charge(person)
      if (held === undefined) return undefined
      note(topic, 'limited')
      const sentence = tooFastSentence(undone[aboutOf[topic]], limit.perMinute, held)
      return { sentence, isToBeTold: held.isToBeTold }
    },
    chargeKey(topic, person) {
      const { isCharged } = keys.charge(person, { cost: 1, needed: 1 })
      if (!isCharged) note(topic, 'limited')
      return isCharged
    },
    chargeSilently: async (person) => !isFull(most, 1) && (await limit.charge(person)) === undefined,
    async tell(place, sentence) {
      if (telling >= mostTelling) return
      telling += 1
      try {
        await delivery.privately(place, say(sentence))
      } catch (error) {
        log.warn({ err: error }, 'could not tell somebody to try again later')
      } finally {
        telling -= 1
      }
    },
  }
}

/** Somebody has to wait. */
export interface HeldBack {
  /** Until the same may be asked again and is taken; at least 1. */
  readonly seconds: number
  /** False when they were told a moment ago: an answer to each would be as much again. */
  readonly isToBeTold: boolean
}

/**
 * Limit on how much one person may ask for in a minute: each request is charged, and whoever has nothing left has to wait.
 * Whoever decides does so within a third of a second, and never rejects.
 */
export interface PersonLimit {
  readonly perMinute: number
  /** Charges them one request; undefined when they had that left. */
  charge(person: SlackUser): Promise<HeldBack | undefined>
  /**
   * Charges the rest of a request that counts as several: a wish for 20 people counts as 20. Somebody with a full minute's
   * worth may ask for more than that, and waits longer afterwards.
   */
  chargeMore(person: SlackUser, more: number): Promise<HeldBack | undefined>
}

/** Where the operator sets none. */
export const noLimit: PersonLimit = {
  perMinute: 0,
  charge: async () => undefined,
  chargeMore: async () => undefined,
}

/**
 * @param room.perMinute - Above 0.
 * @param room.decide - Counts, in the buckets of people. Never rejects.
 * @param room.onHeldBack - Each time somebody has to wait.
 */
export function createPersonLimit(room: {
  readonly perMinute: number
  readonly decide: (person: SlackUser, price: Price) => Promise<Decision>
  readonly onHeldBack?: () => void
}): PersonLimit {
  const { perMinute, decide, onHeldBack } = room

  /** @param anew - What is needed when it is asked again. */
  async function pay(person: SlackUser, price: Price, anew = price.needed): Promise<HeldBack | undefined> {
    const decision = await decide(person, price)
    if (decision.isCharged) return undefined
    onHeldBack?.()
    const { left, isToBeTold } = decision
    return { seconds: Math.max(1, Math.ceil(((anew - left) / perMinute) * 60)), isToBeTold }
  }

  return {
    perMinute,
    charge: (person) => pay(person, { cost: 1, needed: 1 }),
    async chargeMore(person, more) {
      if (more <= 0) return undefined
      // The request itself is charged already; the one that asks again is not.
      const needed = Math.min(more, perMinute - 1)
      return pay(person, { cost: more, needed }, needed + 1)
    },
  }
}

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
function tooBusySentence({ nothing }: UndoneWords): string {
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
