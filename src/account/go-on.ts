// What comes after somebody has connected, wherever they gave their token: what waited for it goes on, the Home tab is
// renewed, and the message that asked to connect is taken away.

import type { Run } from '../slack/guard/tell-failures.ts'
import type { Person, SlackUser } from '../slack/ids.ts'
import type { Outbound } from '../slack/outbound/outbound.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import type { Resumed } from './connect-first.ts'
import type { Waits } from './modal.ts'

/** Goes on with what waited for an account. Supplied by `app`, which knows the features. */
export type Resume = (asker: Person, resumed: Resumed, viewId: string | undefined) => Promise<void>

/** Somebody has connected an account. Supplied by `app`. @param isFromView - By a button that is not in a message. */
export type OnConnected = (owner: SlackUser, isFromView: boolean) => Promise<void>

/** Where they came from. */
export interface CameFrom {
  /** A modal of Bellhop's that is open. */
  readonly viewId?: string | undefined
  /** Where the message that asked to connect can be taken away. */
  readonly promptUrl?: string | undefined
  readonly isFromView: boolean
}

/** Whoever asked is told of what fails in what goes on. */
export type GoOn = (asker: Person, resumed: Resumed | undefined, from: CameFrom) => Promise<void>

export function createGoOn(room: {
  readonly at: Run
  readonly outbound: PerWorkspace<Pick<Outbound, 'retract'>>
  readonly resume: Resume
  readonly onConnected: OnConnected
}): GoOn {
  const { at, outbound, resume, onConnected } = room
  return async (asker, resumed, { viewId, promptUrl, isFromView }) => {
    if (resumed !== undefined) {
      await at(resumed.asked, resumed.place, () => resume(asker, resumed, viewId))
    }
    await onConnected(asker, isFromView)
    if (promptUrl === undefined) return
    const { retract } = outbound.in(asker.workspaceId)
    await retract(promptUrl).catch(() => undefined)
  }
}

/** What becomes of what waited, in a word. @param waitingId - `''` where nothing did. */
export function waitsOf(waitingId: string, resumed: Resumed | undefined): Waits {
  if (resumed === undefined) return waitingId === '' ? 'nothing-waits' : 'not-kept'
  return resumed.isOld ? 'waited-too-long' : 'goes-on'
}
