// Understands a `/grant` line that isn’t in the exact form: its time, its words, and people by their names among those of
// that container. Decides nothing: whoever typed it sees what was understood before anything is sent.
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
import { type TimeMeant, timeSaid, timesMeant, timeWordOf } from './input/times.ts'
import { readPeople } from './people.ts'
import { type Choice, chooseActions } from './render/help.ts'

export type Understood =
  /** `notes`: how it was read, raw; none for a line in the exact form. */
  | { readonly kind: 'meant'; readonly ask: GrantAsk; readonly notes: readonly string[] }
  | { readonly kind: 'choice'; readonly choices: readonly Choice[] }
  /** `command`: undefined for a grant. `prefill`: all that was understood. */
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
  if (exact.kind !== 'problems') return { kind: 'meant', ask: exact, notes: [] }

  const { draft, times, note } = await readLoosely(house, asker, line, known)

  const named = await readUnknown(house, asker, draft)
  const isTimed = times.length > 1
  const readings = named.flatMap((one) => {
    if (!isTimed) return [one]
    return times.map(({ words }) => ({
      draft: { ...one.draft, time: words },
      label: [one.label, words].filter(Boolean).join(', '),
    }))
  })

  const [first = { draft }, ...others] = readings
  const ask = parseGrant(exactLine(first.draft), config, known)
  if (ask.kind === 'problems' || readings.length > chooseActions.length) {
    const { problems, prefill } = ask.kind === 'problems' ? ask : exact
    return { kind: 'unclear', problems, command: draft.command, prefill }
  }

  if (others.length > 0) {
    const choices = readings.map((one) => ({ label: one.label, line: exactLine(one.draft) }))
    return { kind: 'choice', choices }
  }
  const typed = cut(withoutSecrets(asTyped(line)), longestRepeated)

  return { kind: 'meant', ask, notes: [`You typed “${typed}”.`, ...note] }
}

const longestRepeated = 200

/** Words behind `for` and `until` that may be a time. */
const mostTimeWords = 5
const mostTimes = 3

interface Reading {
  readonly draft: Draft
  /** Meanings of its time: none where there is no time that can be read. */
  readonly times: readonly TimeMeant[]
  /** Says what a time of one meaning is, raw. */
  readonly note: readonly string[]
}

/** Takes a time out of a line: as many words as leave a container, since “until tomorrow 12” may hold its number. */
async function readLoosely(
  house: House,
  asker: SlackUser,
  line: string,
  known: readonly KnownContainer[],
): Promise<Reading> {
  const { config, slack, now } = house
  const tokens = readTokens(line)
  const starts = tokens.flatMap(({ text, isQuoted, grantee }, at) => {
    const word = isQuoted || grantee !== undefined ? undefined : timeWordOf(text)
    return word === undefined ? [] : [{ at, word }]
  })

  const [start] = starts
  const plainly = { draft: draftOf(tokens, config, known), times: [], note: [] }
  if (start === undefined) return plainly

  const clock = { zone: (await slack.people.zoneOf(asker.userId)) ?? 'UTC', now: now() }
  const textOf = (from: number, count: number) =>
    tokens
      .slice(from, from + count)
      .map(({ text, grantee }) => (grantee === undefined ? text : '@'))
      .join(' ')

  const read: Reading[] = []
  for (const { at, word } of starts.slice(0, mostTimes))
    for (let count = Math.min(mostTimeWords, tokens.length - at - 1); count > 0; count -= 1) {
      const times = await timesMeant(word, textOf(at + 1, count), clock)
      const [time] = times
      if (time === undefined) continue

      const draft = draftOf(tokens.toSpliced(at, count + 1), config, known, time.words)
      read.push({ draft, times, note: [timeSaid(textOf(at, count + 1), time, clock)] })
    }
  const whole = read.find(({ draft }) => containerOfDraft(draft) !== undefined) ?? read[0]
  if (whole !== undefined) return whole

  // “for dave” has no time in it; any other is for the exact form to refuse.
  if (start.word === 'for' && !/^\d+\D/.test(textOf(start.at + 1, 1))) return plainly
  const draft = draftOf(tokens.toSpliced(start.at, 2), config, known, textOf(start.at, 2))

  return { ...plainly, draft }
}

/** A line of more is no line that somebody typed. */
const mostUnknown = 6

interface Named {
  readonly draft: Draft
  /** Tells it from the others; empty where there is no other. */
  readonly label: string
}

/** The draft with each unknown word as what it may mean: none where one means nothing, several for a choice. */
async function readUnknown(
  house: House,
  asker: SlackUser,
  draft: Draft,
): Promise<readonly Named[]> {
  const unknown = draft.words.filter(({ isUnknown }) => isUnknown)
  if (unknown.length > mostUnknown) return []
  const people =
    unknown.length === 0 ? [] : await peopleThere(house, asker, containerOfDraft(draft))
  // “Dave Doe” is one name, “dave vewer” isn’t.
  const isOneName = unknown.length > 1 && peopleNamed(unknown, people).length > 0
  const parts = isOneName ? [unknown] : unknown.map((one) => [one])

  let found: readonly Named[] = [{ draft, label: '' }]
  for (const part of parts) {
    const slips = part.length > 1 ? [] : part.flatMap((one) => slipsOf(one, house.config))
    const meanings = [
      ...peopleNamed(part, people).map(({ name, email = '' }) => ({
        text: email,
        label: `${nameInLine(name)} (${email})`,
      })),
      ...slips.map((text) => ({ text, label: text })),
    ]

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
  const token = containerId === undefined ? undefined : await house.tokens.find(asker)
  if (token === undefined || containerId === undefined || !house.config.hasAllOperations) return []
  const list = await readPeople(house, token, containerId)
  const seen = typeof list === 'string' ? [] : list.filter(({ email }) => email)
  return [...new Map(seen.map((one) => [one.email, one])).values()]
}

const shortestName = 2

/** People of this very name, else those one of whose names begins like that. */
function peopleNamed(words: readonly DraftWord[], people: readonly ContainerPerson[]) {
  const plainly = (name: string) => name.normalize('NFKC').toLowerCase()
  const wanted = plainly(words.map(({ text }) => text).join(' '))
  if (wanted.length < shortestName) return []

  const exact = people.filter(({ name }) => plainly(name) === wanted)
  if (exact.length > 0) return exact
  return people.filter(({ name }) => ` ${plainly(name)}`.includes(` ${wanted}`))
}
