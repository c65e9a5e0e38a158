// Ten minutes or an hour that pass at once, for what happens by itself.

import { setTimeout as wait } from 'node:timers/promises'
import type { MonitorService } from '../../monitor/start-monitor.ts'
import type { Slack } from '../../slack/simulator.ts'
import type { Clock } from '../clock.ts'
import type { Happenings } from '../happenings/happenings.ts'
import type { Player } from '../playing/player.ts'
import type { Trouble } from './troubles-kinds.ts'

export const hourLater = 'clock-hour'
export const minutesLater = 'clock-minutes'

const MINUTE_MS = 60_000
/** Time passes in such steps: what falls due is done in its order, and no channel that follows misses a look. */
const STEP_MS = 4 * MINUTE_MS
/** The bot looks for what is due several times meanwhile. */
const QUIET_MS = 150
/** As long as a step waits for the look of a channel that follows. */
const MOST_MS = 3_000
const TICK_MS = 20
/** At least so many looks within that time: a channel follows, as `bot-settings.ts` has it. */
const LOOKS_LATELY = 3
const LATELY_MS = 10_000
const listOfAlerts = /^\/container\/\d+\/alerts/

const form = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })

export function troublesOfClock(
  clock: Clock,
  slack: Slack,
  service: MonitorService,
  happenings: Happenings,
): readonly Trouble[] {
  const looksSince = (then: number) =>
    service.requests.filter(({ path, at }) => at >= then && listOfAlerts.test(path)).length
  let isFollowed = false

  async function pass(ms: number): Promise<void> {
    const from = clock.now()
    isFollowed ||= looksSince(from - LATELY_MS) >= LOOKS_LATELY
    for (let left = ms; left > 0; left -= STEP_MS) await moveOn(Math.min(left, STEP_MS))
    // The bot looks at the end of maintenance a minute after it.
    if (service.modeEnds().some((at) => at > from && at <= clock.now())) await moveOn(MINUTE_MS)
  }
  async function moveOn(ms: number): Promise<void> {
    clock.move(ms)
    if (isFollowed) isFollowed = await isLookedAt(clock.now())
    await slack.idle(QUIET_MS)
  }
  async function isLookedAt(moved: number): Promise<boolean> {
    for (let waited = 0; waited < MOST_MS; waited += TICK_MS) {
      if (looksSince(moved) > 0) return true
      await wait(TICK_MS)
    }
    return false
  }
  const passing = (what: string, ms: number) => ({
    group: 'The clock' as const,
    lasts: 'at once' as const,
    isOn: () => false,
    async set(_isOn: boolean, { person }: Player) {
      await happenings.during(`${person.name} let ${what} pass`, () => pass(ms))
      return `It’s ${what} later: ${form.format(clock.now()).replaceAll('\u202f', ' ')}.`
    },
  })
  return [
    {
      id: minutesLater,
      label: () => 'Ten minutes later',
      ...passing('ten minutes', 10 * MINUTE_MS),
      hint: () =>
        'Have a channel follow container 12 and call @oncall then @leads, and let a storm open before: nobody takes it.',
    },
    {
      id: hourLater,
      label: () => 'An hour later',
      ...passing('an hour', 60 * MINUTE_MS),
      hint: () =>
        'Grant access for a few hours before, or put db-03 in maintenance: it ends by itself. Older buttons can’t answer where they stand any more, as in Slack.',
    },
  ]
}
