// What is to be said once of a result for several people, whomever of them it concerns. Pure.
import { doubts, type Reader, refusedWords, unsureWords, whyNobody } from './render-reasons.ts'
import { hasCode, type Told, type Wish } from './wishes.ts'

/** Codes that are about the asker or the container, and ended the sending. */
const ending = ['refused', 'forbidden', 'not-found'] as const

/** Who reads it. `waits`: whoever was not sent for want of a token goes on by itself once there is one. */
export interface Reading {
  readonly reader: Reader
  readonly waits: boolean
}

/** What is to be said once, whomever it concerns. Raw. */
export function explanations(
  wish: Wish,
  people: readonly Told[],
  { reader, waits }: Reading,
): readonly string[] {
  const codes = ending.filter((code) => hasCode(people, code) && !(waits && code === 'refused'))
  return [
    ...(hasCode(people, 'bad-request')
      ? [refusedWords('Where the service refused an address (400), it', 'they are', wish)]
      : []),
    ...(hasCode(people, 'busy')
      ? ['Where the service asked to slow down (429), it did nothing. Try again in a minute.']
      : []),
    ...(hasCode(people, 'unreachable')
      ? ['Where the service could not be reached, nothing was sent. Try again in a minute.']
      : []),
    ...uncertainty(wish, people, reader),
    ...codes.map((code) => whyNobody(code, wish.containerId, reader)),
    ...(waits || !people.some(({ outcome }) => outcome.kind === 'not-sent') ? [] : [whyNotSent(people)]),
  ]
}

function uncertainty(wish: Wish, people: readonly Told[], reader: Reader): readonly string[] {
  const why = people.flatMap(({ outcome }) => (outcome.kind === 'uncertain' ? [outcome.doubt] : []))
  if (why.length === 0) return []
  const sent = why.includes('stopped') ? 'it may have been sent' : 'it was sent'
  const reasons = [...new Set(why)].map((doubt) => doubts[doubt]).join(', or ')
  return [unsureWords(`Where it is not certain, ${sent}, but ${reasons}`, 'they are', wish, reader)]
}

function whyNotSent(people: readonly Told[]): string {
  return ending.some((code) => hasCode(people, code))
    ? 'The rest was not sent: it would have been refused as well.'
    : 'Bellhop was stopped before it came to the rest; nothing was sent for them.'
}
