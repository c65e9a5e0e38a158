// Room of names: who and what the numbers of the monitoring service stand for, as each person's own token shows it.
import type { Vault } from '../account/vault.ts'
import type { Monitor } from '../monitor/client.ts'
import type { ContainerPeople } from '../monitor/containers.ts'
import type { Further } from '../monitor/operations.ts'
import type { Clock, PerWorkspace, SlackUser } from '../slack/ids.ts'
import type { People } from '../slack/workspace/people.ts'
import type { SingleFlights } from '../work/turns.ts'
import type { ContainerNames, OwnIds } from './kept.ts'
import type { NamesMemory } from './memory.ts'

export interface NamesRoom {
  readonly monitor: Pick<
    Monitor,
    'usersOf' | 'containerOf' | 'shortestSolutionIn' | 'openAlertsIn' | 'containerOfToken'
  >
  /** Names of what the service isn't asked for are not shown either. */
  readonly further: Pick<Further, 'isOff'>
  readonly memory: NamesMemory
  readonly containerNames: ContainerNames
  readonly ownIds: OwnIds
  /** Puts on record that somebody has proven to be a user whom another person in their workspace has proven to be. */
  readonly onCollision: (claimant: SlackUser, holder: SlackUser, userId: number) => Promise<void>
  readonly vault: Vault
  readonly people: PerWorkspace<Pick<People, 'identityOf'>>
  /** Somebody’s present token; tells `memory` of it. */
  readonly tokenOf: (owner: SlackUser) => Promise<string | undefined>
  /** Containers that they used otherwise, the last first. */
  readonly otherContainers: (owner: SlackUser, most: number) => Promise<readonly number[]>
  /** Reads under way, which whoever wants the same with the same token shares. */
  readonly underWay: {
    readonly people: SingleFlights<ContainerPeople>
    readonly learning: SingleFlights<void>
  }
  readonly now: Clock
}
