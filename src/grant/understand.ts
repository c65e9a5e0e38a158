// Understands a `/grant` line that isn’t in the exact form: its time, its words, and people by their names among those of
// that container. Decides nothing: whoever typed it sees what was understood before anything is sent.
import type { House } from '../house.ts'
import type { ContainerPerson } from '../monitor/schema.ts'
import { containerInWords, type KnownContainer } from '../names/containers.ts'
import { knownTo } from '../names/field.ts'
import { nameInLine, type SlackUser } from '../slack/person.ts'
import { asTyped } from '../slack/text/markup.ts'
import { cut } from '../slack/text/mrkdwn.ts'
import { nearestTo, withoutSecrets } from '../slack/text/typed.ts'
import type { GrantCommand } from './grammar.ts'
import { type Prefill, parseGrant } from './line.ts'
import {
  type Choice,
  containerOfDraft,
  type Draft,
  type DraftWord,
  draftOf,
  forForm,
  type GrantMeant,
  lineOf,
  meaningOf,
  slipsOf,
  unknownRuns,
  withName,
  withPerson,
} from './meant.ts'
import { readPeople } from './people.ts'
import { readTokens, type Token } from './pieces.ts'
import { durationWords } from './render/ends.ts'
import { chooseActions } from './render/help.ts'
import { type Clock, readTime, type TimeMeant, timeWords } from './times.ts'
import { accessLine } from './words.ts'

export type Understood =
  /** `notes`: how it was read, raw; none for a line in the exact form. */
  | { readonly kind: 'meant'; readonly ask: GrantMeant; readonly notes: readonly string[] }
  | { readonly kind: 'choice'; readonly choices: readonly Choice[] }
  /** `command`: undefined for a grant. `prefill`: all that was understood. */
  | {
      readonly kind: 'unclear'
      readonly problems: readonly string[]
      readonly command: GrantCommand | undefined
      readonly prefill: Partial<Prefill>
    }

/** @param line - Escaped, as Slack sends it. */
export async function understand(
  house: House,
  asker: SlackUser,
  line: string,
): Promise<Understood> {
  const known = await knownTo(house, asker)
  const exact = parseGrant(line, house.config, known)
  if (exact.kind !== 'problems') return { kind: 'meant', ask: exact, notes: [] }

  const reading = await readLoosely(house, asker, line, known)
  const { draft, times, typed, clock } = reading
  const timed = times.map(({ words }) => ({ words, label: `${words.slice('until '.length)}` }))
  const named = await readUnknown(house, asker, draft)
  const readings = named.flatMap((one) =>
    (times.length > 0 ? timed : [{ words: draft.time, label: '' }]).map((time) => ({
      draft: { ...one.draft, time: time.words },
      label: [one.label, times.length > 1 && time.label].filter(Boolean).join(', '),
    })),
  )
  const [first, ...others] = readings
  const ask = meaningOf(house.config, first?.draft ?? draft, known)
  if (first === undefined || ask.kind === 'problems' || readings.length > chooseActions.length) {
    const problems = ask.kind === 'problems' ? ask.problems : exact.problems
    return { kind: 'unclear', problems, command: draft.command, prefill: prefillOf(house, draft) }
  }
  if (others.length === 0) {
    const time = clock && times[0] && [timeSaid(typed, times[0], clock)]
    return { kind: 'meant', ask, notes: [`You typed “${repeated(line)}”.`, ...(time ?? [])] }
  }
  const choices = readings.map(({ draft, label }) => ({
    label,
    line: lineOf(draft),
    said: sentenceOf(house, asker, draft, known),
  }))
  return { kind: 'choice', choices }
}

const longestRepeated = 200

/** A line as it was typed, but nothing that looks like a token. */
function repeated(line: string): string {
  return cut(withoutSecrets(asTyped(line)), longestRepeated)
}

/** “until friday” is Friday 4 December at 00:00 (Europe/Amsterdam). */
function timeSaid(typed: string, { words, ends }: TimeMeant, { zone }: Clock): string {
  if ('forMs' in ends) return `“${typed}” is ${durationWords(ends.forMs)}.`
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
  })
  return words === typed ? '' : `“${typed}” is ${format.format(ends.at)} (${zone}).`
}

/** One line, raw, of what pressing sends. */
function sentenceOf(
  house: House,
  asker: SlackUser,
  draft: Draft,
  known: readonly KnownContainer[],
): string {
  const ask = meaningOf(house.config, draft, known)
  if (ask.kind !== 'grant') return `/grant ${asTyped(lineOf(draft))}`
  const people = ask.grantees.map((one) => ({
    email: one.startsWith('@') ? 'the person you mentioned' : one,
  }))
  const container = containerInWords(house, asker, ask.request.containerId)
  const access = accessLine({ ...ask.request, people }, house.config.roles, container)
  return [access, draft.time].filter(Boolean).join(' · ')
}

/** Words behind `for` and `until` that may be a time. */
const mostTimeWords = 5
const mostTimes = 3

interface Reading {
  readonly draft: Draft
  /** Meanings of the time: none where there is no time that can be read. */
  readonly times: readonly TimeMeant[]
  /** The time as it was typed. */
  readonly typed: string
  readonly clock: Clock | undefined
}

/** Takes a time out of a line: as many words as leave a whole line, since “until tomorrow 12” may hold the container. */
async function readLoosely(
  house: House,
  asker: SlackUser,
  line: string,
  known: readonly KnownContainer[],
): Promise<Reading> {
  const { config, slack, now } = house
  const tokens = readTokens(line)
  const isTime = ({ isQuoted, grantee, text }: Token) =>
    !isQuoted && grantee === undefined && timeWordOf(text) !== undefined
  const starts = tokens.flatMap((token, at) => (isTime(token) ? [at] : [])).slice(0, mostTimes)
  const draft = draftOf(tokens, config, known)
  const plainly = { draft, times: [], typed: '', clock: undefined }
  const [start] = starts
  if (start === undefined) return plainly

  const zone = (await slack.people.zoneOf(asker.userId)) ?? 'UTC'
  const clock = { zone, now: now() }
  const read: Reading[] = []
  for (const at of starts) {
    const behind = tokens.slice(at + 1, at + 1 + mostTimeWords)
    const end = behind.findIndex(({ grantee }) => grantee !== undefined)
    for (let count = end === -1 ? behind.length : end; count > 0; count -= 1) {
      const text = behind
        .slice(0, count)
        .map((one) => one.text)
        .join(' ')
      const word = timeWordOf(tokens[at]?.text ?? '')
      const times = word ? await readTime(word, text, clock) : []
      const rest = tokens.toSpliced(at, count + 1)
      const typed = `${tokens[at]?.text} ${text}`
      if (times.length > 0)
        read.push({ draft: draftOf(rest, config, known, times[0]?.words), times, typed, clock })
    }
  }
  const whole = read.find(({ draft }) => containerOfDraft(draft) !== undefined) ?? read[0]
  if (whole !== undefined) return whole
  const [word, value] = tokens.slice(start, start + 2).map(({ text }) => text)
  const isLength = /^\d+\D/.test(value ?? '')
  // “for dave” has no time in it; any other is for the exact form to refuse.
  if (timeWordOf(word ?? '')?.kind === 'for' && !isLength) return plainly
  const typed = [word, value].filter(Boolean).join(' ')
  return { ...plainly, draft: draftOf(tokens.toSpliced(start, 2), config, known, typed) }
}

/** Also of a slip, as in “untill”. */
function timeWordOf(text: string) {
  const word = text.toLowerCase()
  if (Object.hasOwn(timeWords, word)) return timeWords[word]
  return word.length > 3 && nearestTo(word, ['until']).length > 0 ? timeWords.until : undefined
}

/** What the form can be filled in with. */
function prefillOf({ config }: House, draft: Draft): Partial<Prefill> {
  const fitting = forForm(draft)
  for (const one of [fitting, { ...fitting, time: '' }]) {
    const ask = parseGrant(lineOf(one), config)
    if (ask.kind === 'form') return ask.prefill
    if (ask.kind === 'grant') {
      const { request, grantees, ends } = ask
      const { containerId, permissions, member = false, authProvider } = request
      return { container: String(containerId), grantees, permissions, member, authProvider, ends }
    }
  }
  return {}
}

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
  const runs = unknownRuns(draft)
  if (runs.length === 0) return [{ draft, label: '' }]
  const people = await peopleThere(house, asker, containerOfDraft(draft))
  const parts = runs.flatMap((run) =>
    run.length > 1 && peopleNamed(textOf(run), people).length === 0
      ? run.map((one) => [one])
      : [run],
  )
  let found: readonly Named[] = [{ draft, label: '' }]
  for (const part of parts) {
    const [only, ...more] = part
    const slips = only && more.length === 0 ? slipsOf(only, house.config) : []
    const them = peopleNamed(textOf(part), people)
    const isSure = slips.length + them.length === 1
    found = found.flatMap(({ draft, label }) => [
      ...them.map(({ name, email = '' }) => ({
        draft: withPerson(draft, part, email),
        label: isSure ? label : `${nameInLine(name)} (${email})`,
      })),
      ...slips.flatMap((name) =>
        only ? { draft: withName(draft, only, name), label: isSure ? label : name } : [],
      ),
    ])
  }
  return found
}

const textOf = (run: readonly DraftWord[]) => run.map(({ text }) => text).join(' ')

/** People of a container whose address the asker’s token shows. */
async function peopleThere(house: House, asker: SlackUser, containerId: number | undefined) {
  const token = containerId === undefined ? undefined : await house.tokens.find(asker)
  if (token === undefined || containerId === undefined || !house.config.hasAllOperations) return []
  const list = await readPeople(house, token, containerId)
  if (typeof list === 'string') return []
  // Somebody may be there twice: through another container as well.
  const byAddress = Map.groupBy(list, ({ email }) => email)
  return [...byAddress.entries()].flatMap(([email, [one]]) => (email && one ? [one] : []))
}

const shortestName = 2

/** People of this very name, else those one of whose names begins like that. */
function peopleNamed(text: string, people: readonly ContainerPerson[]): readonly ContainerPerson[] {
  const plainly = (name: string) => name.normalize('NFKC').toLowerCase()
  const wanted = plainly(text)
  if (wanted.length < shortestName) return []
  const exact = people.filter(({ name }) => plainly(name) === wanted)
  if (exact.length > 0) return exact
  return people.filter(({ name }) => ` ${plainly(name)}`.includes(` ${wanted}`))
}
