// What the bot remembers of a card it posted: the port of the store that keeps it.
import type { SlackUser } from '../slack/ids.ts'

/** One posted card. Buttons carry `id` alone; all that matters is looked up here. */
export interface Card {
  readonly id: string
  readonly workspaceId: string
  readonly ks: string
  readonly asker: SlackUser
  /** The asker's name in Slack, raw. */
  readonly askerName: string
  /** The channel the card was asked in, which is where *Share in channel* posts; undefined when there was none. */
  readonly channelId: string | undefined
  /** True when only the asker sees it. */
  readonly isPrivate: boolean
  /** `thread`: the history is in the card's thread. `joined`: card and history are one message. */
  readonly form: 'thread' | 'joined'
  /** Fingerprints of the actions already told, in any order; equal actions occur as often as they were told. */
  readonly told: readonly string[]
  /** Grows by one with each change of `told`. */
  readonly version: number
}

/** Where posted cards are kept. */
export interface Cards {
  /** A new card; `version` is 0. */
  keep(card: Card): Promise<void>
  find(workspaceId: string, id: string): Promise<Card | undefined>
  /** Replaces `told` if the card still has `version`: of two who try, one gets true. */
  tell(workspaceId: string, id: string, version: number, told: readonly string[]): Promise<boolean>
  /** A private card is being shared: true for the one caller that says so first. */
  shared(workspaceId: string, id: string): Promise<boolean>
  /** It could not be shared after all. */
  notShared(workspaceId: string, id: string): Promise<void>
  /** Sets how the card was delivered in the end. */
  landed(workspaceId: string, id: string, how: Pick<Card, 'isPrivate' | 'form'>): Promise<void>
  forgetWorkspace(workspaceId: string): Promise<void>
  /** Forgets cards kept before this time (milliseconds since 1970). */
  prune(before: number): Promise<void>
}
