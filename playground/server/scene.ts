// The scene of the page: the stand-ins, who can be played, and what the page adds to them.

import type { Seed } from '../monitor/seed/seed.ts'
import type { MonitorService } from '../monitor/start-monitor.ts'
import type { Channel } from '../slack/model/model.ts'
import type { Person } from '../slack/person/person.ts'
import type { Slack } from '../slack/simulator.ts'
import type { Clock } from './clock.ts'
import type { Happenings } from './happenings/happenings.ts'
import type { AppManifest } from './manifest.ts'
import type { Player } from './playing/player.ts'
import type { Troubles } from './troubles/troubles.ts'

export interface Scene {
  readonly clock: Clock
  readonly slack: Slack
  readonly service: MonitorService
  readonly seed: Seed
  readonly players: readonly Player[]
  readonly manifest: AppManifest
  readonly happenings: Happenings
  readonly troubles: Troubles
}

/** What this person's sidebar lists: public channels, private ones they are in, the direct message with the bot. */
export function channelsOf(person: Person, slack: Slack): readonly Channel[] {
  const channels = [...slack.workspace.channels.values()].filter(
    ({ kind, members, isArchived }) =>
      !isArchived && kind !== 'im' && (kind === 'public' || members.has(person.id)),
  )
  return [...channels, person.dm]
}
