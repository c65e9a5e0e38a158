// Room of names: who and what the numbers of the monitoring service stand for, as each person's own token shows it.
import type { Monitor } from '../monitor/client.ts'
import type { ContainerPeople } from '../monitor/containers.ts'
import type { Clock, PerWorkspace, SlackUser } from '../slack/ids.ts'
import type { People } from '../slack/workspace/people.ts'
import type { SingleFlights } from '../work/turns.ts'
import type { NamesMemory } from './memory.ts'

export interface NamesRoom {
  readonly monitor: Pick<Monitor, 'usersOf' | 'containerOf' | 'openAlertsIn'>
  /** The service is asked for no names, and none are shown. */
  readonly basic: boolean
  readonly memory: NamesMemory
  readonly ownIds: OwnIds
  readonly people: PerWorkspace<Pick<People, 'identityOf'>>
  /** Somebody’s present token; tells `memory` of it. */
  readonly tokenOf: (owner: SlackUser) => Promise<string | undefined>
  /** Containers of their cards and grants, the last first. */
  readonly otherContainers: (owner: SlackUser, most: number) => Promise<readonly number[]>
  /** Reads under way, which whoever wants the same with the same token shares. */
  readonly underWay: {
    readonly people: SingleFlights<ContainerPeople>
    readonly learning: SingleFlights<void>
  }
  readonly now: Clock
}

/** Who somebody is at the service. */
export interface OwnId {
  /** At the service. */
  readonly userId: number
  /** By an address that both show; else they chose it. */
  readonly isMatched: boolean
}

export interface OwnIds {
  find(person: SlackUser): Promise<OwnId | undefined>
  /** In place of what was kept. */
  keep(person: SlackUser, own: OwnId): Promise<void>
  /** Whoever is that service user, those who are matched first. */
  personOf(workspaceId: string, userId: number): Promise<SlackUser | undefined>
  forget(person: SlackUser): Promise<void>
  forgetWorkspace(workspaceId: string): Promise<void>
}
