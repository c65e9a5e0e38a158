// Counts what became of each person of a wish, of one or of many, however it came about; and how its request ends.
import type { Log } from '../log/log.ts'
import { endsAs, type RequestOutcome, recordsNow } from '../log/request.ts'
import type { SlackUser } from '../slack/ids.ts'
import { type GrantObserver, labelsOf } from './observer.ts'
import type { Told } from './wishes.ts'

/** When it was told: by its own request, or late, by whoever came after it, to this person. */
export type When = 'at_once' | { readonly lateTo: SlackUser }

/**
 * Counts what was told. To be called by the one who was the first to tell it.
 * Where somebody's outcome takes the place of a doubt that may have been told, the others were counted with the doubt.
 * What is told late has a line of its own in the log, as the one of its request was written before, or never.
 */
export type Tally = (people: readonly Told[], when: When) => void

export function createTally(observer: GrantObserver, log: Log): Tally {
  return (people, when) => {
    const replacing = people.filter(({ wasDoubted }) => wasDoubted)
    for (const { outcome } of replacing.length > 0 ? replacing : people) {
      observer.told(outcome, replacing.length > 0 || when !== 'at_once' ? 'late' : 'at_once')
    }
    if (when === 'at_once') return
    const { userId: user, workspaceId: workspace } = when.lateTo
    const audit = [...(recordsNow() ?? [])]
    const fields = { user, workspace, about: 'grant', outcomes: countsOf(people) }
    log.info(audit.length === 0 ? fields : { ...fields, audit }, 'an outcome was told late')
  }
}

/** How many people it is for each outcome, in the words of the figures: `granted`, `uncertain:stopped`. */
function countsOf(people: readonly Told[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { outcome } of people) {
    const { outcome: what, reason } = labelsOf(outcome)
    const name = reason === 'none' ? what : `${what}:${reason}`
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

/** How the request ends that has sent this. */
export function noteOutcome(people: readonly Told[]): void {
  endsAs(outcomeOf(people))
}

function outcomeOf(people: readonly Told[]): RequestOutcome {
  if (people.some(({ outcome }) => outcome.kind === 'uncertain')) return 'uncertain'
  const granted = people.filter(({ outcome }) => outcome.kind === 'granted')
  if (granted.length > 0) return granted.length === people.length ? 'ok' : 'partly'
  const code = people.flatMap(({ outcome }) => (outcome.kind === 'not-granted' ? [outcome.code] : []))[0]
  // Nothing was sent for anybody, as Bellhop was stopped.
  return code === undefined ? 'busy' : `service-${code}`
}
