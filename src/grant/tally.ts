// Counts what became of each person of a wish, of one or of many, however it came about; and how its request ends.
import { endsAs, type Outcome } from '../request.ts'
import type { GrantObserver, When } from './observer.ts'
import type { Told } from './wishes.ts'

/**
 * Counts what was told. To be called by the one who was the first to tell it.
 * Where somebody's outcome takes the place of a doubt that may have been told, the others were counted with the doubt.
 */
export type Tally = (people: readonly Told[], when: When) => void

export function createTally(observer: GrantObserver): Tally {
  return (people, when) => {
    const replacing = people.filter(({ wasDoubted }) => wasDoubted)
    for (const { outcome } of replacing.length > 0 ? replacing : people) {
      if (outcome.kind === 'not-sent') continue
      observer.told(outcome, replacing.length > 0 ? 'late' : when)
    }
  }
}

/** How the request ends that has sent this. */
export function noteOutcome(people: readonly Told[]): void {
  endsAs(outcomeOf(people))
}

function outcomeOf(people: readonly Told[]): Outcome {
  if (people.some(({ outcome }) => outcome.kind === 'uncertain')) return 'uncertain'
  const granted = people.filter(({ outcome }) => outcome.kind === 'granted')
  if (granted.length > 0) return granted.length === people.length ? 'ok' : 'partly'
  const code = people.flatMap(({ outcome }) => (outcome.kind === 'not-granted' ? [outcome.code] : []))[0]
  // Nothing was sent for anybody, as Bellhop was stopped.
  return code === undefined ? 'busy' : `service-${code}`
}
