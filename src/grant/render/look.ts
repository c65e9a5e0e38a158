// Words for what a look at the people of a container has shown of who is not certain: for whoever's token it was read with,
// alone. Pure.
import type { Look, Sight } from '../../send/outcome.ts'
import type { Request } from '../../send/request.ts'
import { asAddUser } from '../../send/writes.ts'
import type { Line } from '../../slack/outbound/message.ts'
import { utc } from '../../slack/text/mrkdwn.ts'

/** By address, raw. Nobody of whom nothing was looked at, and nobody else than those who are not certain. */
export type LookByEmail = ReadonlyMap<string, Look>

/** What was seen of each who is not certain, for whoever sent it. Nothing where the service has no list of people. */
export function looksOf({ sends }: Pick<Request, 'sends'>): LookByEmail {
  return new Map(
    sends.flatMap(({ write, outcome, look }) =>
      outcome?.kind === 'uncertain' && look !== undefined && look.saw !== 'off'
        ? [[asAddUser(write).email, look]]
        : [],
    ),
  )
}

/** A look may show what became of somebody: not where the service has no list, or isn't asked for it. */
export function canLookAgain({ sends }: Pick<Request, 'sends'>): boolean {
  return sends.some(({ outcome, look }) => outcome?.kind === 'uncertain' && look?.saw !== 'off')
}

/** Of whoever it is so: one, or some of several. Who and where, and why it is not certain, stands above. */
const sentences: Readonly<Record<Exclude<Sight, 'off'>, (who: string, at: string) => string>> = {
  absent: (who, at) =>
    `As of ${at}, monitoring doesn’t list ${who} there. The request may still take effect, so look again before you send another.`,
  unlisted: (who, at) => `As of ${at}, monitoring doesn’t list ${who} there, but it doesn’t list everyone.`,
  otherwise: (who, at) => `As of ${at}, monitoring lists ${who} there, but not as you asked.`,
  unread: () =>
    'I couldn’t read who is on it, which needs READ. Look again in a moment, or check in monitoring.',
}

/** Behind an address among several, after “not certain”. */
export const sightWords: Readonly<Record<Sight, string>> = {
  absent: 'not on the container yet',
  unlisted: 'not listed',
  otherwise: 'listed, but not as you asked',
  unread: 'check in monitoring',
  off: 'check in monitoring',
}

/** For what is shown within the hour. */
function richTimeOfDay(seconds: number) {
  return { type: 'date', timestamp: seconds, format: '{time}', fallback: utc(seconds) } as const
}

/** Stands for the time in a sentence. */
const mark = '\u0000'

/**
 * One line for each thing that was seen, with times in each reader's zone.
 * @param isAlone - The request is for one person.
 */
export function lookLines(looks: LookByEmail, isAlone: boolean): readonly Line[] {
  const bySight = new Map([...looks.values()].map((look) => [look.saw, look]))
  return [...bySight].flatMap(([saw, look]): readonly Line[] => {
    if (saw === 'off') return []
    const said = sentences[saw](isAlone ? 'them' : 'some of them', mark).split(mark)
    const at = richTimeOfDay(Math.floor(look.at / 1000))
    return [said.flatMap((part, index) => (index === 0 ? [part] : [at, part]))]
  })
}
