// The words of `/alert`: help, did-you-mean, mentions, and which may come twice, all come from this table. Pure.
import { escapeText } from '../slack/text/mrkdwn.ts'

const helpGroups = ['See alerts', 'Change an alert', 'Stay informed', 'Bellhop itself'] as const
type HelpGroup = (typeof helpGroups)[number]

interface HelpWord {
  /** Undefined where another word’s help covers it. */
  readonly help?: string
  /** Default: Bellhop itself. */
  readonly group?: HelpGroup
  /** Changes an alert: offered only where alerts can be changed. */
  readonly acts?: true
  /** Reads more than one alert: not offered with MONITOR_OPERATIONS=basic. */
  readonly lists?: true
  /** Changes nothing: may come twice, and is answered while nothing can be stored. */
  readonly isReadOnly?: true
}

/** In help’s order. */
const table: Readonly<Record<string, HelpWord>> = {
  assign: {
    acts: true,
    group: 'Change an alert',
    help: '`/alert take <key>` assigns the alert to you, as `/alert assign <key> me` does. Name somebody in place of `me`, as `@person` or by their user ID in monitoring, to give it to them. You can add a message in "quotes".',
  },
  comment: {
    acts: true,
    group: 'Change an alert',
    help: '`/alert comment <key> "text"` adds a comment, and `/alert close <key> "what it was"` closes the alert. Add `solution` after the quotes if that solved it. `/alert comment <key>` alone opens a form.',
  },
  close: { acts: true },
  open: {
    lists: true,
    isReadOnly: true,
    group: 'See alerts',
    help: '`/alert open` lists what is open in the container that the channel follows, or that you used last, and `/alert open 12` in container 12. Add `mine`, `unassigned` or `critical` for fewer.',
  },
  mine: { lists: true, isReadOnly: true },
  watches: {
    isReadOnly: true,
    group: 'Stay informed',
    help: '`/alert watches` lists the alerts you watch.',
  },
  follow: {
    lists: true,
    group: 'Stay informed',
    help: '`/alert follow 12` brings new alerts of container 12 to this channel by themselves. Add `error` for errors and worse, and `call @oncall` to have somebody mentioned. `/alert unfollow` stops it, and `/alert follows` lists what is followed here.',
  },
  unfollow: { lists: true },
  follows: { lists: true, isReadOnly: true },
  form: { isReadOnly: true, group: 'See alerts', help: '`/alert` opens a form.' },
  doctor: {
    isReadOnly: true,
    help: '`/alert doctor` checks what works here, and says how to fix the rest.',
  },
  connect: {
    help: '`/alert connect` and `/alert disconnect` connect or disconnect your monitoring account.',
  },
  disconnect: {},
  help: { isReadOnly: true },
}

/** Nobody types `form`: a bare `/alert` asks for it. */
const typed = Object.keys(table).filter((word) => word !== 'form')

export function wordFor(kind: string): HelpWord {
  return (Object.hasOwn(table, kind) && table[kind]) || {}
}

/** @param hasAllOperations - Words that change an alert, or list several, are among them. */
export function wordsThere(hasAllOperations: boolean): readonly string[] {
  return typed.filter((word) => hasAllOperations || !isBeyondBasic(wordFor(word)))
}

function isBeyondBasic({ acts, lists }: HelpWord): boolean {
  return acts === true || lists === true
}

/** Words that people try first; each does what another does. */
const synonyms = ['list', 'take', 'ack', 'unwatch', 'show', 'status']

/** Never keys when they come first. */
export const commandWords: ReadonlySet<string> = new Set([...typed, ...synonyms])

export const actWords: ReadonlySet<string> = new Set([
  ...typed.filter((word) => wordFor(word).acts),
  ...['take', 'ack'],
])

export const mannerWords: ReadonlySet<string> = new Set(['private', 'watch'])

const ofKeys: Partial<Record<HelpGroup, readonly string[]>> = {
  'See alerts': [
    '`/alert <key>` shows an alert here, with its history in the thread. A key with spaces goes in "quotes".',
    '`/alert <link>` does the same for an alert’s link.',
    '`/alert <key> private` shows it only to you.',
  ],
  'Stay informed': [
    '`/alert <key> watch` keeps the card live: it changes with the alert, its thread gets the news, and you’re mentioned there when it gets worse, opens again or closes.',
  ],
}

/** By what it was made for: it is long, and settings stay as they are. */
const made = new Map<string, string>()

export function helpText(takesLinks: boolean, hasAllOperations: boolean): string {
  const settings = `${takesLinks} ${hasAllOperations}`
  const text = made.get(settings) ?? makeHelp(takesLinks, hasAllOperations)
  made.set(settings, text)
  return text
}

function makeHelp(takesLinks: boolean, hasAllOperations: boolean): string {
  const words = Object.values(table).filter((word) => hasAllOperations || !isBeyondBasic(word))
  const groups = helpGroups.flatMap((name) => {
    const ofGroup = words.flatMap(
      ({ group = 'Bellhop itself', help }) => (group === name && help) || [],
    )
    const lines = [
      ...(ofKeys[name] ?? []).filter((line) => takesLinks || !line.includes('<link>')),
      ...ofGroup,
    ]
    return lines.length === 0 ? [] : [[`*${name}*`, ...lines].join('\n')]
  })
  return escapeText(groups.join('\n\n'))
}
