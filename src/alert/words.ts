// The table of `/alert`’s words. Help, suggestions, mentions of the bot, and which lines may come twice, follow from it.
// Pure.
import { escapeText } from '../slack/text/mrkdwn.ts'

const helpGroups = ['See alerts', 'Change an alert', 'Stay informed', 'Bellhop itself'] as const
type HelpGroup = (typeof helpGroups)[number]

/** Words that a word takes behind it. A synonym counts only with such words behind it: alone, it may be an alert’s key. */
type Takes = 'key' | 'key and person' | 'key or container' | 'container' | 'time' | 'nothing'

interface HelpWord {
  /** Undefined if another word’s help covers this one. */
  readonly help?: string
  readonly takes: Takes
  /** Other words for the same, which people try. At the beginning of a line, they are never keys. */
  readonly also?: readonly string[]
  /** Words that mean the same with fitting words behind them. A line that changes something is shown on a button first. */
  readonly synonyms?: readonly string[]
  /** Default: Bellhop itself. */
  readonly group?: HelpGroup
  /** True of a word that changes an alert: not offered with MONITOR_OPERATIONS=basic. */
  readonly acts?: true
  /** True of a word that reads more than one alert: not offered with MONITOR_OPERATIONS=basic. */
  readonly lists?: true
  /**
   * True of a word that changes nothing: a line with it may come twice, and is answered even while nothing can be stored.
   */
  readonly isReadOnly?: true
}

/** Words of `/alert`, in the order that help has. */
export const alertWords: Readonly<Record<string, HelpWord>> = {
  assign: {
    takes: 'key and person',
    also: ['take', 'ack'],
    synonyms: ['give', 'reassign'],
    acts: true,
    group: 'Change an alert',
    help: '`/alert take <key>` assigns the alert to you, as `/alert assign <key> me` does. Name somebody in place of `me`, as `@person` or by their user ID in monitoring, to give it to them. You can add a message in "quotes".',
  },
  comment: {
    takes: 'key',
    synonyms: ['note'],
    acts: true,
    group: 'Change an alert',
    help: '`/alert comment <key> "text"` adds a comment, and `/alert close <key> "what it was"` closes the alert. Add `solution` after the quotes if that solved it. `/alert comment <key>` alone opens a form.',
  },
  close: { takes: 'key', synonyms: ['resolve', 'done'], acts: true },
  maintenance: {
    takes: 'key or container',
    also: ['mute', 'silence', 'snooze', 'quiet'],
    lists: true,
    group: 'Change an alert',
    help: '`/alert maintenance db-03 for 2h` keeps monitoring quiet about a machine or a container for up to 8 hours; `off` ends it. `/alert maintenance 12` lists what is quiet there.',
  },
  open: {
    takes: 'container',
    also: ['list'],
    synonyms: ['alerts'],
    lists: true,
    isReadOnly: true,
    group: 'See alerts',
    help: '`/alert open` lists what is open in the container that the channel follows, or that you used last, `/alert open 12` in container 12, and `/alert open db-03` on the machine of that name. `/alert mine` lists yours; add `unassigned` or `critical` for fewer.',
  },
  mine: { takes: 'container', lists: true, isReadOnly: true },
  watches: {
    takes: 'nothing',
    also: ['unwatch'],
    isReadOnly: true,
    group: 'Stay informed',
    help: '`/alert watches` lists the alerts you watch.',
  },
  follow: {
    takes: 'container',
    lists: true,
    group: 'Stay informed',
    help: '`/alert follow 12` brings new alerts of container 12 to this channel by themselves. Add `error` for errors and worse, and `call @oncall then @leads` to have somebody mentioned until an alert is taken. `/alert unfollow` stops it, and `/alert follows` lists what is followed here.',
  },
  unfollow: { takes: 'container', lists: true },
  since: {
    takes: 'time',
    also: ['handover'],
    lists: true,
    isReadOnly: true,
    group: 'Stay informed',
    help: '`/alert since 18:00`, or `since 4h`, tells how the night went in what the channel follows. `/alert follow 12 daily 08:00` posts that here every day; `weekdays 08:00` leaves out weekends.',
  },
  follows: { takes: 'nothing', lists: true, isReadOnly: true },
  show: {
    takes: 'key',
    also: ['status'],
    synonyms: ['history'],
    isReadOnly: true,
    group: 'See alerts',
    help: '`/alert show <key>`, `/alert status <key>` and `/alert history <key>` show an alert as its key alone does.',
  },
  form: { takes: 'nothing', isReadOnly: true, group: 'See alerts', help: '`/alert` opens a form.' },
  doctor: {
    takes: 'nothing',
    isReadOnly: true,
    help: '`/alert doctor` checks what works here, and says how to fix the rest.',
  },
  connect: {
    takes: 'nothing',
    help: '`/alert connect` and `/alert disconnect` connect or disconnect your monitoring account.',
  },
  disconnect: { takes: 'nothing' },
  help: { takes: 'nothing', isReadOnly: true },
}

/** All words but `form`, which nobody types: a bare `/alert` asks for it. */
const typed = Object.keys(alertWords).filter((word) => word !== 'form')

export function wordFor(kind: string): Partial<HelpWord> {
  return (Object.hasOwn(alertWords, kind) && alertWords[kind]) || {}
}

/** The word itself, or the one that does the same: `open` for `list`. */
export function exactWord(command: string): string | undefined {
  return typed.find((word) => word === command || wordFor(word).also?.includes(command))
}

/** The word that a synonym stands for. */
export function wordMeant(synonym: string): string | undefined {
  return exactWord(synonym) ?? typed.find((word) => wordFor(word).synonyms?.includes(synonym))
}

/** Words that are skipped between a word, a key and a person. */
export const fillers: ReadonlySet<string> = new Set('to for of on the alert please in'.split(' '))

/** @param hasAllOperations - Words that change an alert, or list several, are among them. */
export function wordsThere(hasAllOperations: boolean): readonly string[] {
  return typed.filter((word) => hasAllOperations || !isBeyondBasic(wordFor(word)))
}

function isBeyondBasic({ acts, lists }: Partial<HelpWord>) {
  return acts === true || lists === true
}

/** All words that mean the same as one of these, and these themselves. */
function withOthers(words: readonly string[]) {
  return new Set(
    words.flatMap((word) => {
      const { also = [], synonyms = [] } = wordFor(word)
      return [word, ...also, ...synonyms]
    }),
  )
}

/** Words that a line to the bot may begin with. */
export const commandWords: ReadonlySet<string> = withOthers(typed)

export const actWords = withOthers(typed.filter((word) => wordFor(word).acts))

/** Words about one alert, whose key can be left out in its thread. */
export const keyWords = withOthers(typed.filter((word) => wordFor(word).takes?.startsWith('key')))

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

/** Help texts by settings. They are long, so each is made once: settings don’t change. */
const made = new Map<string, string>()

export function helpText(takesLinks: boolean, hasAllOperations: boolean): string {
  const settings = `${takesLinks} ${hasAllOperations}`
  const text = made.get(settings) ?? makeHelp(takesLinks, hasAllOperations)
  made.set(settings, text)
  return text
}

function makeHelp(takesLinks: boolean, hasAllOperations: boolean) {
  const words = Object.values(alertWords).filter((word) => hasAllOperations || !isBeyondBasic(word))

  const groups = helpGroups.map((name) => {
    const ofGroup = words.filter(({ group = 'Bellhop itself' }) => group === name)
    const lines = [...(ofKeys[name] ?? []), ...ofGroup.flatMap(({ help }) => help ?? [])]
    const shown = lines.filter((line) => takesLinks || !line.includes('<link>'))

    return shown.length === 0 ? '' : [`*${name}*`, ...shown].join('\n')
  })

  return escapeText(groups.filter(Boolean).join('\n\n'))
}
