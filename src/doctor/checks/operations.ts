// Doctor's look at what Bellhop asks of the service: everything it can, or no more than reading alerts and adding users.
import type { FurtherOperation, FurtherState } from '../../monitor/further.ts'
import type { Clock } from '../../slack/ids.ts'
import type { Check, Finding } from './check.ts'

const name = 'Operations'

/** @param state - Where no bot runs: what the settings say. */
export function operationsCheck(state: () => FurtherState, now: Clock): Check {
  return { name, by: 'operator', run: async () => [findingOf(state(), now())], ifSlow: '' }
}

/** What the service lacks, and what people miss. */
const lack: Readonly<Record<FurtherOperation, string>> = {
  asset_alerts: 'The service doesn’t list the alerts of an asset, so Bellhop can’t look up links.',
  container: 'The service doesn’t name containers, so Bellhop shows their numbers alone.',
  container_users: 'The service doesn’t list the people of a container, so Bellhop can’t show their names.',
  container_alerts:
    'The service doesn’t list the alerts of a container, so Bellhop can’t tell which container an alert is in.',
  own_permissions: 'The service doesn’t tell what a token may do, so Bellhop can’t say it in advance.',
  assign_alert: 'The service doesn’t take assignments, so Bellhop can’t assign alerts.',
  comment_alert: 'The service doesn’t take comments, so Bellhop can’t comment on alerts.',
  close_alert: 'The service doesn’t close alerts on request, so Bellhop can’t either.',
  container_of_token:
    'The service doesn’t tell whose a token is, so Bellhop takes every token for a person’s.',
}

function findingOf(state: FurtherState, now: number): Finding {
  if (state.kind === 'basic') {
    const found = 'MONITOR_OPERATIONS is basic, so Bellhop only reads alerts and adds users.'
    return { name, state: 'green', found }
  }
  if (state.off.length === 0) return { name, state: 'green', found: 'Bellhop uses every operation it knows.' }
  const minutes = Math.max(1, Math.ceil((Math.min(...state.off.map(({ until }) => until)) - now) / 60_000))
  const inMinutes = minutes === 1 ? 'a minute' : `${minutes} minutes`
  return {
    name,
    state: 'amber',
    found: `${state.off.map(({ operation }) => lack[operation]).join(' ')} It will ask again in ${inMinutes}.`,
    mend: 'Have the service updated. If that isn’t possible, set MONITOR_OPERATIONS=basic.',
  }
}
