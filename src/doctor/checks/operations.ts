// Doctor's look at what Bellhop asks of the service: everything it can, or no more than reading alerts and adding users.
import type { FurtherState } from '../../monitor/further.ts'
import type { Clock } from '../../slack/ids.ts'
import type { Check, Finding } from './check.ts'

const name = 'Operations'

/** @param state - Where no bot runs: what the settings say. */
export function operationsCheck(state: () => FurtherState, now: Clock): Check {
  return { name, by: 'operator', run: async () => [findingOf(state(), now())], ifSlow: '' }
}

function findingOf(state: FurtherState, now: number): Finding {
  if (state.kind === 'basic') {
    const found = 'MONITOR_OPERATIONS is basic, so Bellhop only reads alerts and adds users.'
    return { name, state: 'green', found }
  }
  const [first] = state.off
  if (first === undefined) return { name, state: 'green', found: 'Bellhop uses every operation it knows.' }
  const minutes = Math.max(1, Math.ceil((first.until - now) / 60_000))
  const inMinutes = minutes === 1 ? 'a minute' : `${minutes} minutes`
  return {
    name,
    state: 'amber',
    found: `The service doesn’t list the alerts of an asset, so Bellhop can’t look up links. It will ask again in ${inMinutes}.`,
    mend: 'Have the service updated. If that isn’t possible, set MONITOR_OPERATIONS=basic.',
  }
}
