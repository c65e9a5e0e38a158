// Room of names: who and what the numbers of the monitoring service stand for, as each person's own token shows it,
// with the ports of the stores that keep that.
import type { Sealed, Vault } from '../account/vault.ts'
import type { Monitor } from '../monitor/client.ts'
import type { ContainerPeople } from '../monitor/containers.ts'
import type { Clock, PerWorkspace, SlackUser } from '../slack/ids.ts'
import type { People } from '../slack/workspace/people.ts'
import type { SingleFlights } from '../work/turns.ts'
import type { NamesMemory } from './memory.ts'

export interface NamesRoom {
  readonly monitor: Pick<Monitor, 'usersOf' | 'containerOf' | 'openAlertsIn' | 'containerOfToken'>
  /** The service is asked for no names, and none are shown. */
  readonly basic: boolean
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

/** Of a container, what one person's token showed; undefined is what it has not shown. */
export interface KeptContainer {
  readonly containerId: number
  readonly name: Sealed | undefined
  readonly people: Sealed | undefined
}

/** Each row is one person's: what one may see, another may not. */
export interface ContainerNames {
  find(owner: SlackUser, containerId: number): Promise<KeptContainer | undefined>
  /** The container that this person saw the alert in, and what is kept of it. @param ks - As the service writes it. */
  ofAlert(owner: SlackUser, ks: string): Promise<KeptContainer | undefined>
  /** Those with a name, the last kept first. */
  named(owner: SlackUser, most: number): Promise<readonly Omit<KeptContainer, 'people'>[]>
  /**
   * True for whoever may ask the service now: nobody has claimed the same within that time, and nobody will.
   * @param what - What is asked for.
   */
  claim(owner: SlackUser, containerId: number, what: 'name' | 'people', withinMs: number): Promise<boolean>
  /** Replaces what is given, and leaves what is not. */
  keep(
    owner: SlackUser,
    containerId: number,
    shown: { readonly name?: Sealed; readonly people?: Sealed },
  ): Promise<void>
  noteAlert(owner: SlackUser, ks: string, containerId: number): Promise<void>
  /** Containers in which this person saw alerts, the last first, each once. */
  lastOfAlerts(owner: SlackUser, most: number): Promise<readonly number[]>
  /** Forgets all of one person's. */
  forget(owner: SlackUser): Promise<void>
  forgetWorkspace(workspaceId: string): Promise<void>
  /** Forgets what was kept before this time (milliseconds since 1970). */
  prune(before: number): Promise<void>
}

/** Who somebody is at the service. */
export interface OwnId {
  /** At the service. */
  readonly userId: number
  /** By an address that both show, or an Assign of theirs; else they chose it, and it only fills in forms. */
  readonly isProven: boolean
  /** Of a choice: somebody else in the workspace has proven to be that user, so it counts for nothing. */
  readonly isOverruled?: true
}

/** In a workspace, one service user is proven to be at most one person of Slack, whoever claims it at the same moment. */
export interface OwnIds {
  find(person: SlackUser): Promise<OwnId | undefined>
  /**
   * Several may choose the same, as long as nobody has proven it.
   * @param over - What it takes the place of. `chosen`: what this person has proven stays as it is.
   * @returns `taken`: somebody else in the workspace has proven it, so nothing changes.
   */
  choose(person: SlackUser, userId: number, over: 'chosen' | 'proven'): Promise<'linked' | 'taken'>
  /**
   * Overrules whoever only chose it. Takes it from whoever has proven it with a token that they have replaced since.
   * @returns `corrected`: it took the place of another. `taken`: somebody else has proven it with their present token.
   */
  prove(person: SlackUser, userId: number): Promise<'linked' | 'corrected' | 'taken'>
  /** The service user that this person has proven to be since then (milliseconds since 1970). */
  provenSince(person: SlackUser, since: number): Promise<number | undefined>
  /** What is proven stays. @returns Whether anything was forgotten. */
  forgetChosen(person: SlackUser): Promise<boolean>
  /** Whoever has proven to be this service user. */
  personProven(workspaceId: string, userId: number): Promise<SlackUser | undefined>
  forget(person: SlackUser): Promise<void>
  forgetWorkspace(workspaceId: string): Promise<void>
}
