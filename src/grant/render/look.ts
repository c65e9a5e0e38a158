// Words for what a look at the people of a container has shown after a grant that was left in doubt: for whoever's token
// it was read with, alone. Pure.
import type { Doubt } from '../../send/outcome.ts'
import type { PeopleLook, Sight } from '../../send/proof.ts'
import type { Request } from '../../send/request.ts'
import { asAddUser } from '../../send/writes.ts'
import type { Line } from '../../slack/outbound/message.ts'
import { utc } from '../../slack/text/mrkdwn.ts'

/** Of somebody who may have been added. */
export interface Glimpse extends PeopleLook {
  readonly doubt: Doubt
}

/** By address, raw. Nobody of whom nothing was looked at, and nobody else than those who are not certain. */
export type GlimpseByEmail = ReadonlyMap<string, Glimpse>

/** What was seen of each doubt, for whoever sent the wish. Nothing where the service has no list, or isn't asked for it. */
export function glimpsesOf({ sends }: Pick<Request, 'sends'>): GlimpseByEmail {
  return new Map(
    sends.flatMap(({ write, outcome, look }) =>
      outcome?.kind === 'uncertain' && look !== undefined && look.saw !== 'off'
        ? [[asAddUser(write).email, { ...look, doubt: outcome.doubt }]]
        : [],
    ),
  )
}

/** A look may show what became of somebody: not where the service has no list, or isn't asked for it. */
export function canLookAgain({ sends }: Pick<Request, 'sends'>): boolean {
  return sends.some(({ outcome, look }) => outcome?.kind === 'uncertain' && look?.saw !== 'off')
}

const mayStill: Readonly<Record<Doubt, string>> = {
  'timed-out': 'The request timed out and may still take effect',
  'connection-lost': 'The connection broke, and the request may still take effect',
  'server-error': 'Monitoring returned an error, and the request may still take effect',
  'odd-answer': 'Monitoring’s answer was unclear, and the request may still take effect',
  stopped: 'Bellhop was stopped, and the request may still take effect',
  'not-seen': 'The request may still take effect',
  'not-readable': 'The request may still take effect',
}

/** Whom and when a sentence is about. */
interface Sighting {
  /** All as they are written into the sentence. */
  readonly who: string
  readonly at: string
  /** “container 12”, or “Customer 1 (12)”. */
  readonly where: string
}

/** Of one person. The reason why it is not certain stands above, unless they are absent. */
const sentences: Readonly<
  Record<Exclude<Sight, 'off'>, (seen: Sighting & { readonly doubt: Doubt }) => string>
> = {
  absent: ({ who, at, where, doubt }) =>
    `${who} isn’t on ${where} as of ${at}. ${mayStill[doubt]}, so look again before you send another.`,
  unlisted: ({ who, at, where }) =>
    `As of ${at}, monitoring doesn’t list ${who} on ${where}, but it doesn’t list everyone.`,
  hidden: ({ who, at, where }) =>
    `As of ${at}, monitoring doesn’t list ${who} on ${where}, but it hides some addresses from you.`,
  'other-access': ({ who, at, where }) =>
    `As of ${at}, ${who} is on ${where}, but without everything you asked for.`,
  inherited: ({ who, at, where }) =>
    `As of ${at}, monitoring lists ${who} on ${where} only through another container.`,
  unreadable: ({ where }) => `I can’t look, because your token lacks READ on ${where}.`,
  refused: () =>
    'I can’t look, because monitoring no longer accepts your token. Connect again with /alert connect.',
  unread: () => 'I couldn’t read the list of people in monitoring, so look again in a moment.',
}

/** Of those among several for whom it is so. */
const sentencesForSome: typeof sentences = {
  ...sentences,
  absent: ({ at, where }) =>
    `Some aren’t on ${where} as of ${at}. Their requests may still take effect, so look again before you send another.`,
  unlisted: ({ at }) => `As of ${at}, monitoring doesn’t list some of them, but it doesn’t list everyone.`,
  hidden: ({ at }) =>
    `As of ${at}, monitoring doesn’t list some of them, but it hides some addresses from you.`,
  'other-access': ({ at, where }) =>
    `As of ${at}, some are on ${where}, but without everything you asked for.`,
  inherited: ({ at }) => `As of ${at}, monitoring lists some of them only through another container.`,
}

/** Behind an address among several, after “not certain”. */
export const glimpseLine: Readonly<Record<Exclude<Sight, 'off'>, string>> = {
  absent: 'not on the container yet',
  unlisted: 'not listed',
  hidden: 'not listed, some addresses are hidden',
  'other-access': 'listed with other flags',
  inherited: 'listed through another container',
  unreadable: 'check in monitoring',
  refused: 'check in monitoring',
  unread: 'check in monitoring',
}

/** For what is shown within the hour. */
function richTimeOfDay(seconds: number) {
  return { type: 'date', timestamp: seconds, format: '{time}', fallback: utc(seconds) } as const
}

/** Stands for the time in a sentence. */
const mark = '\u0000'

/**
 * One line for each thing that was seen, with times in each reader's zone.
 * @param where - The container as its reader may know it. Raw.
 * @param isAlone - The request is for one person.
 */
export function glimpseLines(where: string, glimpses: GlimpseByEmail, isAlone: boolean): readonly Line[] {
  const bySight = new Map([...glimpses].map(([email, glimpse]) => [glimpse.saw, { email, glimpse }]))
  return [...bySight].flatMap(([saw, { email, glimpse }]): readonly Line[] => {
    if (saw === 'off') return []
    const sighting = { who: email, at: mark, where, doubt: glimpse.doubt }
    const said = (isAlone ? sentences : sentencesForSome)[saw](sighting).split(mark)
    const at = richTimeOfDay(Math.floor(glimpse.at / 1000))
    return [said.flatMap((part, index) => (index === 0 ? [part] : [at, part]))]
  })
}
