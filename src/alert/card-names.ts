// Names of a card: those that its asker's token has shown are kept with it, and whoever else draws it adds none. Where
// another organisation reads, or may read, it shows none.
import type { House } from '../house.ts'
import type { Alert } from '../monitor/schema.ts'
import { type Names, noNames } from '../names/names.ts'
import { learnNames, namesKnown } from '../names/naming.ts'
import type { SlackUser } from '../slack/ids.ts'
import { inTime } from '../work/under-way.ts'
import { type Card, placeOf } from './cards.ts'

/** How long somebody who waits for a card waits for names that are still to be read. */
const momentMs = 1_000

/**
 * As its asker's token shows them: those of before, and for a moment what is missing is read from the service. What goes
 * wrong is logged: a card does without.
 * @param atHand - Their token, where somebody has it already.
 */
export async function namesRead(
  house: House,
  asker: SlackUser,
  card: Pick<Card, 'link' | 'names'>,
  alert: Alert,
  atHand?: string,
): Promise<Names> {
  const known = namesShownBefore(house, asker, card, alert)
  const token = atHand ?? (await house.tokens.find(asker))
  if (token === undefined) return known
  const learning = learnNames(house, asker, token, alert, placeOf(card)).catch((error: unknown) => {
    house.log.warn({ err: error }, 'names could not be learned for a card')
    return noNames
  })
  return joinNames(known, (await inTime(house.slack.work.track(learning), momentMs)) ?? noNames)
}

/** As its asker's token has shown them by now: nobody is asked. */
export function namesShownBefore(
  house: House,
  asker: SlackUser,
  card: Pick<Card, 'link' | 'names'>,
  alert: Alert,
): Names {
  return joinNames(card.names ?? noNames, namesKnown(house, asker, alert, placeOf(card)))
}

/**
 * The same names, or none unless Slack says that no other organisation reads: the asker has asked for the alert there,
 * and not for who their colleagues are.
 */
export async function namesShownIn(
  { slack, log }: House,
  { isPrivate, channelId }: Pick<Card, 'isPrivate' | 'channelId'>,
  names: Names,
): Promise<Names> {
  const isNone = names.container === undefined && Object.keys(names.people).length === 0
  if (isPrivate || channelId === undefined || isNone) return names
  try {
    return (await slack.channels.wasShared(channelId)) === false ? names : noNames
  } catch (error) {
    log.error({ err: error }, 'Slack was asked in vain who reads in a channel; its cards show no names')
    return noNames
  }
}

/** Both, the later where they differ. */
function joinNames(earlier: Names, later: Names): Names {
  return {
    people: { ...earlier.people, ...later.people },
    container: later.container?.name === undefined ? (earlier.container ?? later.container) : later.container,
  }
}
