// Understands a `/grant` line that isn’t in the exact form: its time, its words, and people of its container by their
// names. Decides nothing: whoever typed it sees what was understood before anything is sent.
import type { House } from '../house.ts'
import type { ContainerPerson } from '../monitor/schema.ts'
import type { KnownContainer } from '../names/containers.ts'
import { knownTo } from '../names/field.ts'
import { nameInLine, type SlackUser } from '../slack/person.ts'
import { asTyped } from '../slack/text/markup.ts'
import { cut } from '../slack/text/mrkdwn.ts'
import { withoutSecrets } from '../slack/text/typed.ts'
import type { GrantCommand } from './input/grammar.ts'
import { type GrantAsk, type Prefill, parseGrant } from './input/line.ts'
import {
  containerOfDraft,
  type Draft,
  type DraftWord,
  draftOf,
  exactLine,
  slipsOf,
  withMeant,
} from './input/meant.ts'
import { readTokens } from './input/pieces.ts'
import { timeSaid, timesMeant, timeWordOf } from './input/times.ts'
import { readPeople } from './people.ts'
import { type Choice, chooseActions } from './render/help.ts'

export type Understood =
  /** `notes`: how the line was read, raw; none for a line in the exact form. */
  | { readonly kind: 'meant'; readonly ask: GrantAsk; readonly notes: readonly string[] }
  | { readonly kind: 'choice'; readonly choices: readonly Choice[] }
  /** `command`: undefined for a grant. `prefill`: all that was understood of the line. */
  | {
      readonly kind: 'unclear'
      readonly problems: readonly string[]
      readonly command: GrantCommand | undefined
      readonly prefill: Prefill
    }

/** @param line - Escaped, as Slack sends it. */
export async function understand(
  house: House,
  asker: SlackUser,
  line: string,
): Promise<Understood> {
  const { config } = house
  const known = await knownTo(house, asker)
  const exact = parseGrant(line, config, known)
  if (exact.kind !== 'problems')
    return {
      kind: 'meant',
      ask: exact,
      notes: [],
    }

  const { draft, times, note } = await takeTime(house, asker, line, known)
  const readings = await readUnknown(house, asker, draft)
  const choices = readings.flatMap((one) =>
    times.map((time) => ({
      label: [one.label, times.length > 1 && time].filter(Boolean).join(', '),
      line: exactLine(one.draft, time),
    })),
  )

  const ask = parseGrant(choices[0]?.line ?? line, config, known)
  if (ask.kind === 'problems' || choices.length > chooseActions.length) {
    const { problems, prefill } = ask.kind === 'problems' ? ask : exact
    return {
      kind: 'unclear',
      problems,
      command: draft.command,
      prefill,
    }
  }

  if (choices.length > 1) return { kind: 'choice', choices }

  const typed = cut(withoutSecrets(asTyped(line)), longestRepeated)

  return {
    kind: 'meant',
    ask,
    notes: [`You typed “${typed}”.`, ...note],
  }
}

const longestRepeated = 200

/** Most words behind a `for` or `until` that are tried as its time. */
const mostTimeWords = 5
/** How many `for` and `until` in a line are tried as the beginning of its time. */
const mostTimes = 3

interface Timed {
  readonly draft: Draft
  /** Meanings of the line’s time, in the exact form; one empty text if the line has no time. */
  readonly times: readonly string[]
  /** A sentence that says how the time was understood, by the first of `times`; empty if the line has no time. Raw. */
  readonly note: readonly string[]
}

/**
 * Takes the time out of a line. The time gets as many words as possible, but the line must keep a container: in “dave
 * viewer until tomorrow 12”, the 12 is the container.
 */
async function takeTime(
  house: House,
  asker: SlackUser,
  line: string,
  known: readonly KnownContainer[],
): Promise<Timed> {
  const { config, slack, now } = house
  const tokens = readTokens(line)
  const without = (at: number, count: number) => draftOf(tokens.toSpliced(at, count), config, known)
  const textOf = (from: number, count: number) =>
    tokens
      .slice(from, from + count)
      .map(({ text, grantee }) => (grantee === undefined ? text : '@'))
      .join(' ')

  const starts = tokens.flatMap(({ text, isQuoted, grantee }, at) =>
    !isQuoted && grantee === undefined && timeWordOf(text) ? at : [],
  )

  const [start] = starts
  const plainly = {
    draft: without(0, 0),
    times: [''],
    note: [],
  }

  if (start === undefined) return plainly

  const clock = { zone: await slack.people.zoneOf(asker.userId), now: now() }
  const read: Timed[] = []

  for (const at of starts.slice(0, mostTimes))
    for (let count = Math.min(mostTimeWords, tokens.length - at - 1); count > 0; count -= 1) {
      const typed = textOf(at, count + 1)
      const meant = await timesMeant(typed, clock)
      const [time] = meant
      if (time === undefined) continue

      const times = meant.map(({ words }) => words)
      read.push({ draft: without(at, count + 1), times, note: [timeSaid(typed, time, clock)] })
    }

  const whole = read.find(({ draft }) => containerOfDraft(draft) !== undefined) ?? read[0]
  if (whole !== undefined) return whole

  // No time was understood. “until” and a word, or “for 3x”, are kept as the time, so that `parseGrant` says what is wrong
  // with it. “for dave” has no time.
  const typed = textOf(start, 2)
  const isTime = timeWordOf(textOf(start, 1)) === 'until' || /^\S+ \d+\D/.test(typed)

  return isTime ? { draft: without(start, 2), times: [typed], note: [] } : plainly
}

/** Most unknown words that are looked up: nobody types a line with more. */
const mostUnknown = 6

interface Reading {
  readonly draft: Draft
  /** Words by which the asker chooses this reading among several; empty if it is the only one. */
  readonly label: string
}

/**
 * Drafts in which unknown words are replaced by what they may mean, one draft for each meaning. If one of the words means
 * nothing, or too many words are unknown: the draft as it is.
 */
async function readUnknown(
  house: House,
  asker: SlackUser,
  draft: Draft,
): Promise<readonly Reading[]> {
  const plainly = [{ draft, label: '' }]
  const unknown = draft.words.filter(({ isUnknown }) => isUnknown)
  if (unknown.length === 0 || unknown.length > mostUnknown) return plainly

  const people = await peopleThere(house, asker, containerOfDraft(draft))
  // All unknown words together are one name if somebody has that name: “Dave Doe”, but not “dave vewer”.
  const isOneName = unknown.length > 1 && peopleNamed(unknown, people).length > 0
  const parts = isOneName ? [unknown] : unknown.map((one) => [one])

  let found: readonly Reading[] = plainly

  for (const part of parts) {
    const slips = isOneName ? [] : part.flatMap((one) => slipsOf(one, house.config))
    const meanings = [
      ...peopleNamed(part, people).map(({ name, email = '' }) => ({
        text: email,
        label: `${nameInLine(name)} (${email})`,
      })),
      ...slips.map((text) => ({ text, label: text })),
    ]

    if (meanings.length === 0) return plainly

    found = found.flatMap((one) =>
      meanings.map(({ text, label }) => ({
        draft: withMeant(one.draft, part, text),
        label: meanings.length === 1 ? one.label : label,
      })),
    )
  }

  return found
}

/** People of a container whose address the asker’s token shows, each once. */
async function peopleThere(house: House, asker: SlackUser, containerId: number | undefined) {
  if (containerId === undefined || !house.config.hasAllOperations) return []

  const token = await house.tokens.find(asker)
  if (token === undefined) return []

  const list = await readPeople(house, token, containerId)
  const seen = typeof list === 'string' ? [] : list.filter(({ email }) => email)

  return [...new Map(seen.map((one) => [one.email, one])).values()]
}

const shortestName = 2

/** People of exactly this name; if there are none, people with a first or last name that begins with these words. */
function peopleNamed(words: readonly DraftWord[], people: readonly ContainerPerson[]) {
  const plainly = (name: string) => name.normalize('NFKC').toLowerCase()
  const wanted = plainly(words.map(({ text }) => text).join(' '))
  if (wanted.length < shortestName) return []

  const exact = people.filter(({ name }) => plainly(name) === wanted)
  if (exact.length > 0) return exact

  return people.filter(({ name }) => ` ${plainly(name)}`.includes(` ${wanted}`))
}
