// An hour that passes at once, for what happens by itself.

import type { Slack } from '../../slack/simulator.ts'
import type { Clock } from '../clock.ts'
import type { Happenings } from '../happenings/happenings.ts'
import type { Trouble } from './troubles-kinds.ts'

export const hourLater = 'clock-hour'

/** The hour passes in such steps: what falls due in it is done in its order, and well before its end. */
const STEP_MS = 5 * 60_000
const STEPS = 12
/** The bot looks for what is due several times meanwhile. */
const QUIET_MS = 150

const form = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })

export function troubleOfClock(clock: Clock, slack: Slack, happenings: Happenings): Trouble {
  async function pass(): Promise<void> {
    for (let step = 0; step < STEPS; step += 1) {
      clock.move(STEP_MS)
      await slack.idle(QUIET_MS)
    }
  }
  return {
    id: hourLater,
    group: 'The clock',
    lasts: 'at once',
    label: () => 'An hour later',
    hint: () =>
      'Grant access for a few hours before: it ends by itself. Older buttons can’t answer where they stand any more, as in Slack.',
    isOn: () => false,
    async set(_isOn, { person }) {
      await happenings.during(`${person.name} let an hour pass`, pass)
      return `It’s an hour later: ${form.format(clock.now()).replaceAll('\u202f', ' ')}.`
    },
  }
}
