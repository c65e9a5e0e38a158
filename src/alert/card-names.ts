// Names of a card: those that its asker's token has shown are kept with it, and whoever else draws it adds none. Where
// another organisation reads, or may read, it shows none.
import type { House } from '../house.ts'
import type { Alert } from '../monitor/schema.ts'
import type { SaidContainer } from '../names/containers.ts'
import { areSameNames, type Names, noNames, peopleMentioned } from '../names/names.ts'
import { learnNames, namesKnown } from '../names/naming.ts'
import type { SlackUser } from '../slack/ids.ts'
import { inTime } from '../work/under-way.ts'
import { type Card, placeOf } from './cards.ts'

/** How long somebody who waits for a card waits for names that are still to be read. */
const momentMs = 1_000

/** Where a card is, or is to be. */
interface Where {
  readonly isPrivate: boolean
  readonly channelId: string | undefined
}

/**
 * As its asker's token shows them: those of before, and for a moment what is missing is read from the service.
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
  if (isWhole(known, alert) || !house.config.canAct) return known
  const token = atHand ?? (await house.tokens.find(asker))
  const learning = token === undefined ? undefined : learnQuietly(house, asker, token, alert, placeOf(card))
  const learned = learning && (await inTime(learning, momentMs))
  return joinNames(known, learned ?? noNames)
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
  { isPrivate, channelId }: Where,
  names: Names,
): Promise<Names> {
  if (isPrivate || channelId === undefined || areSameNames(names, noNames)) return names
  try {
    return (await slack.channels.wasShared(channelId)) === false ? names : noNames
  } catch (error) {
    log.error({ err: error }, 'Slack was asked in vain who reads in a channel; its cards show no names')
    return noNames
  }
}

/** Whether nothing in it is left to be learned. */
function isWhole(names: Names, alert: Alert): boolean {
  const areAllNamed = peopleMentioned(alert).every((id) => names.people[String(id)] !== undefined)
  return names.container?.name !== undefined && areAllNamed
}

/** Both, the later where they differ. */
function joinNames(earlier: Names, later: Names): Names {
  return {
    people: { ...earlier.people, ...later.people },
    container: later.container?.name === undefined ? (earlier.container ?? later.container) : later.container,
  }
}

/** Reads what is missing in the background. What goes wrong is logged: a card does without. */
async function learnQuietly(
  house: House,
  asker: SlackUser,
  token: string,
  alert: Alert,
  said: SaidContainer,
): Promise<Names> {
  try {
    return await house.slack.work.track(learnNames(house, asker, token, alert, said))
  } catch (error) {
    house.log.warn({ err: error }, 'names could not be learned for a card')
    return noNames
  }
}
